import { type Assignment, assignmentSchema } from '../model/assignment.ts';
import type { State } from './state.ts';
import { flag, plain, plainColumns, Statements, table, text } from './table.ts';
import { inScope, type Scope } from './workspaces.ts';

/** Assignment in one environment of a workspace, with the field names of the interface. */
export type AssignmentRecord = Assignment & { workspace_id: string; environment: Scope['environment'] };
export type AssignmentRows = ReturnType<typeof assignmentRows>;

const assignments = table<AssignmentRecord>('assignments', 'assignment', {
  ...plainColumns(assignmentSchema),
  workspace_id: text,
  environment: plain(),
  active: flag,
  confirmed: flag,
});
const fixed = ['id', 'workspace_id', 'environment', 'asset_id', 'source', 'created_at', 'created_by'] as const;

/** Text that sorts after every time of a row. */
const AFTER_ALL_TIMES = '~';

/** Number of rows that one query reads. */
const PAGE = 200;

/**
 * SQL statements of the table `assignments`. Call those that write inside `Ledger.change`, or for rows of a recording
 * inside `State.write`.
 */
export function assignmentRows({ db }: State) {
  const rows = new Statements(db, assignments);
  const get = rows.one<[Scope & { id: string }]>(`${inScope} AND id = @id`);
  const page = rows.all<[Scope & { at: string; place: number; limit: number }]>(
    `${inScope} AND (created_at, rowid) < (@at, @place) ORDER BY created_at DESC, rowid DESC LIMIT @limit`,
  );
  const placeOf = db.prepare<[string], number>('SELECT rowid FROM assignments WHERE id = ?').pluck();
  const count = db.prepare<[Scope], number>(`SELECT count(*) FROM assignments WHERE ${inScope}`).pluck();
  const prune = rows.delete<[Scope & { most: number }]>(
    `rowid IN (SELECT rowid FROM assignments WHERE ${inScope} AND active = 0 ORDER BY created_at, rowid LIMIT @most)`,
  );
  return {
    active: rows.all<[Scope]>(`${inScope} AND active = 1 ORDER BY rowid`),
    /**
     * Yields at most `limit` assignments, the newest first. It reads them in pages, so the table may be written between
     * two pages.
     */
    *newestFirst(scope: Scope, limit: number): Generator<AssignmentRecord> {
      let after = { at: AFTER_ALL_TIMES, place: 0 };
      for (let left = limit; left > 0; left -= PAGE) {
        const found = page({ ...scope, ...after, limit: Math.min(left, PAGE) });
        const last = found.at(-1);
        if (last) after = { at: last.created_at, place: placeOf.get(last.id) ?? 0 };
        yield* found;
        if (found.length < PAGE) return;
      }
    },
    get: (scope: Scope, id: string) => get({ ...scope, id }),
    count: (scope: Scope) => count.get(scope) ?? 0,
    /** Deletes the oldest inactive assignments, `most` at most. Returns their number. */
    prune: (scope: Scope, most: number) => prune({ ...scope, most }),
    insert: rows.insert(),
    update: rows.update(fixed, 'id = @id'),
  };
}

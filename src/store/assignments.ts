import type { Assignment } from '../model/assignment.ts';
import type { State } from './state.ts';
import type { Scope } from './workspaces.ts';

/** An assignment of a workspace's environment, with its wire names. */
export type AssignmentRecord = Assignment & { workspace_id: string; environment: Scope['environment'] };

/** The statements of the table `assignments`; each runs inside a change of the ledger. */
export type AssignmentRows = {
  /** Those that hold now. */
  active(scope: Scope): AssignmentRecord[];
  /** Newest first, read in pages: between two of them the table may be written. */
  newestFirst(scope: Scope, limit: number): Generator<AssignmentRecord>;
  get(scope: Scope, id: string): AssignmentRecord | undefined;
  count(scope: Scope): number;
  /** Takes away the oldest of those that hold no more, so many at most. Returns how many went. */
  prune(scope: Scope, most: number): number;
  insert(record: AssignmentRecord): void;
  update(record: AssignmentRecord): void;
};

type Stored = Omit<AssignmentRecord, 'active' | 'confirmed'> & { active: number; confirmed: number };
type Placed = Stored & { place: number };

/** Above every time as rows have it. */
const AFTER_ALL_TIMES = '~';

/** Rows that are read at once. */
const PAGE = 200;

const columns = [
  'id',
  'workspace_id',
  'environment',
  'asset_id',
  'serial',
  'name',
  'affiliation',
  'active',
  'operator',
  'role',
  'reason',
  'source',
  'confirmed',
  'created_at',
  'created_by',
  'superseded_at',
  'superseded_by',
  'expires_at',
  'version',
  'updated_at',
] as const;
const fixed = ['id', 'workspace_id', 'environment', 'asset_id', 'source', 'created_at', 'created_by'];

export function assignmentRows(state: State): AssignmentRows {
  const { db } = state;
  const inScope = 'workspace_id = @workspaceId AND environment = @environment';
  const select = `SELECT ${columns.join(', ')}, rowid AS place FROM assignments WHERE ${inScope}`;
  const active = db.prepare<[Scope], Placed>(`${select} AND active = 1 ORDER BY rowid`);
  const get = db.prepare<[Scope & { id: string }], Placed>(`${select} AND id = @id`);
  const page = db.prepare<[Scope & { at: string; place: number; limit: number }], Placed>(
    `${select} AND (created_at, rowid) < (@at, @place) ORDER BY created_at DESC, rowid DESC LIMIT @limit`,
  );
  const count = db.prepare<[Scope], number>(`SELECT count(*) FROM assignments WHERE ${inScope}`).pluck();
  const prune = db.prepare<[Scope & { most: number }]>(
    `DELETE FROM assignments WHERE rowid IN (
       SELECT rowid FROM assignments WHERE ${inScope} AND active = 0 ORDER BY created_at, rowid LIMIT @most)`,
  );
  const insert = db.prepare<[Stored]>(
    `INSERT INTO assignments (${columns.join(', ')}) VALUES (${columns.map((column) => `@${column}`).join(', ')})`,
  );
  const changed = columns.filter((column) => !fixed.includes(column)).map((column) => `${column} = @${column}`);
  const update = db.prepare<[Stored]>(`UPDATE assignments SET ${changed.join(', ')} WHERE id = @id`);
  return {
    active: (scope) => active.all(scope).map(recordOf),
    *newestFirst(scope, limit) {
      let after = { at: AFTER_ALL_TIMES, place: 0 };
      for (let left = limit; left > 0; ) {
        const rows = page.all({ ...scope, ...after, limit: Math.min(left, PAGE) });
        for (const row of rows) yield recordOf(row);
        const last = rows.at(-1);
        if (!last || rows.length < PAGE) return;
        after = { at: last.created_at, place: last.place };
        left -= rows.length;
      }
    },
    get(scope, id) {
      const row = get.get({ ...scope, id });
      return row && recordOf(row);
    },
    count: (scope) => count.get(scope) ?? 0,
    prune: (scope, most) => prune.run({ ...scope, most }).changes,
    insert: (record) => void insert.run(storedOf(record)),
    update: (record) => void update.run(storedOf(record)),
  };
}

function storedOf(record: AssignmentRecord): Stored {
  return { ...record, active: Number(record.active), confirmed: Number(record.confirmed) };
}

function recordOf({ place: _place, ...stored }: Placed): AssignmentRecord {
  return { ...stored, active: stored.active === 1, confirmed: stored.confirmed === 1 };
}

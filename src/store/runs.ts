import { isRunGoing, type Run } from '../model/run.ts';
import { newestPage, type Page, type PageQuery, pageOf, pageValues } from './page.ts';
import type { State } from './state.ts';
import { flag, json, number, Statements, table, text } from './table.ts';

const runs = table('runs', 'run', {
  number,
  id: text,
  workspaceId: text,
  going: flag,
  startedMs: number,
  // Documents of earlier versions do not have the list `refused`.
  document: json<Run>((run: Omit<Run, 'refused'>) => ({ refused: [], ...run })),
});
export type RunRows = ReturnType<typeof runRows>;

/** SQL statements of the table `runs`. */
export function runRows({ db }: State) {
  const rows = new Statements(db, runs);
  const page = rows.all<[object]>(`workspace_id = @workspaceId AND ${newestPage('started_ms')}`);
  const put = rows.put(['id'], ['going', 'document']);
  const prune = rows.delete<[object]>(
    `number IN (SELECT number FROM runs WHERE workspace_id = @workspaceId AND going = 0 ORDER BY started_ms, number
       LIMIT max(0, (SELECT count(*) FROM runs WHERE workspace_id = @workspaceId) - @most))`,
  );
  return {
    get: rows.document<[workspaceId: string, id: string]>('workspace_id = ? AND id = ?'),
    /** Returns the runs that have not ended, the oldest first. */
    going: rows.documents<[workspaceId: string]>('workspace_id = ? AND going = 1 ORDER BY number'),
    /** Returns one page of runs, the newest first. */
    page(workspaceId: string, query: PageQuery): Page<Run> {
      const found = page({ workspaceId, ...pageValues(query) });
      const { rows, next } = pageOf(found, query.limit, ({ startedMs: ms, number }) => ({ ms, number }));
      return { rows: rows.map(({ document }) => document), next };
    },
    /** Inserts a run, or replaces the row with the same id. Call it within a write of the state. */
    put(workspaceId: string, run: Run): void {
      const { id, state, started_at } = run;
      put({ id, workspaceId, going: isRunGoing(state), startedMs: Date.parse(started_at), document: run });
    },
    delete: rows.delete<[workspaceId: string, id: string]>('workspace_id = ? AND id = ?'),
    /** Deletes the oldest ended runs until at most `most` runs remain. */
    prune: (workspaceId: string, most: number) => prune({ workspaceId, most }),
  };
}

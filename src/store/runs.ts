import { isRunGoing, type Run } from '../model/run.ts';
import type { State } from './state.ts';

export type RunQuery = {
  sinceMs: number | null;
  untilMs: number | null;
  limit: number;
  after: { ms: number; number: number } | null;
};
export type RunPage = { rows: Run[]; next: { ms: number; number: number } | null };

export type RunRows = {
  get(workspaceId: string, id: string): Run | null;
  /** Those that have not ended, the oldest first. */
  going(workspaceId: string): Run[];
  /** The newest first. */
  page(workspaceId: string, query: RunQuery): RunPage;
  /** Writes over the row of the same id. Call within a write of the state. */
  put(workspaceId: string, run: Run): void;
  delete(workspaceId: string, id: string): void;
  /** Keeps `most` at most: of those that have ended the oldest go. */
  prune(workspaceId: string, most: number): number;
};

type Stored = { number: number; startedMs: number; document: string };

/** Statements of the table `runs`. */
export function runRows({ db }: State): RunRows {
  const get = db
    .prepare<[string, string], string>('SELECT document FROM runs WHERE workspace_id = ? AND id = ?')
    .pluck();
  const going = db
    .prepare<[string], string>('SELECT document FROM runs WHERE workspace_id = ? AND going = 1 ORDER BY number')
    .pluck();
  const page = db.prepare<[object], Stored>(
    `SELECT number, started_ms AS startedMs, document FROM runs
     WHERE workspace_id = @workspaceId AND started_ms >= @sinceMs AND started_ms < @untilMs
       AND (started_ms, number) < (@afterMs, @afterNumber)
     ORDER BY started_ms DESC, number DESC LIMIT @limit`,
  );
  const put = db.prepare<[object]>(
    `INSERT INTO runs (id, workspace_id, going, started_ms, document)
     VALUES (@id, @workspaceId, @going, @startedMs, @document)
     ON CONFLICT (id) DO UPDATE SET going = excluded.going, document = excluded.document`,
  );
  const remove = db.prepare<[string, string]>('DELETE FROM runs WHERE workspace_id = ? AND id = ?');
  const prune = db.prepare<[object]>(
    `DELETE FROM runs WHERE number IN (
       SELECT number FROM runs WHERE workspace_id = @workspaceId AND going = 0 ORDER BY started_ms, number
       LIMIT max(0, (SELECT count(*) FROM runs WHERE workspace_id = @workspaceId) - @most))`,
  );
  const read = (document: string): Run => JSON.parse(document) as Run;
  return {
    get(workspaceId, id) {
      const document = get.get(workspaceId, id);
      return document === undefined ? null : read(document);
    },
    going: (workspaceId) => going.all(workspaceId).map(read),
    page(workspaceId, { sinceMs, untilMs, limit, after }) {
      const found = page.all({
        ...{ workspaceId, limit: limit + 1 },
        ...{ sinceMs: sinceMs ?? Number.MIN_SAFE_INTEGER, untilMs: untilMs ?? Number.MAX_SAFE_INTEGER },
        ...{ afterMs: after?.ms ?? Number.MAX_SAFE_INTEGER, afterNumber: after?.number ?? Number.MAX_SAFE_INTEGER },
      });
      const rows = found.slice(0, limit);
      const last = rows.at(-1);
      const next = found.length > limit && last ? { ms: last.startedMs, number: last.number } : null;
      return { rows: rows.map(({ document }) => read(document)), next };
    },
    put(workspaceId, run) {
      const { id, state, started_at } = run;
      const [going, startedMs] = [isRunGoing(state) ? 1 : 0, Date.parse(started_at)];
      put.run({ id, workspaceId, going, startedMs, document: JSON.stringify(run) });
    },
    delete: (workspaceId, id) => void remove.run(workspaceId, id),
    prune: (workspaceId, most) => prune.run({ workspaceId, most }).changes,
  };
}

import type { Alert } from '../model/alert.ts';
import type { State } from './state.ts';

/** An alert as it is kept: with the event that it is about, and whether it is sent to others. */
export type KeptAlert = { alert: Alert; key: string; notify: boolean };

export type AlertQuery = {
  state: Alert['state'] | null;
  /** Ranks of severities; this one and those above. */
  leastRank: number;
  sinceMs: number | null;
  untilMs: number | null;
  limit: number;
  after: { ms: number; number: number } | null;
};

export type AlertPage = { rows: Alert[]; next: { ms: number; number: number } | null };

export type AlertRows = {
  /** Those that somebody may still have to look at, the oldest first. */
  open(workspaceId: string): KeptAlert[];
  get(workspaceId: string, id: string): Alert | null;
  /** The newest first. */
  page(workspaceId: string, query: AlertQuery): AlertPage;
  /** Writes over the row of the same id, whose event stays. Call within a write of the state. */
  put(workspaceId: string, kept: KeptAlert, rank: number): void;
  /** Keeps the newest `most` of those that are settled, and takes at most `atOnce` away. */
  prune(workspaceId: string, most: number, atOnce: number): number;
};

type Stored = { number: number; raisedMs: number; document: string };

export function alertRows({ db }: State): AlertRows {
  const open = db.prepare<[string], { key: string; notify: number; document: string }>(
    `SELECT event_key AS key, notify, document FROM alerts WHERE workspace_id = ? AND settled = 0 ORDER BY number`,
  );
  const get = db
    .prepare<[string, string], string>('SELECT document FROM alerts WHERE workspace_id = ? AND id = ?')
    .pluck();
  const page = db.prepare<[object], Stored>(
    `SELECT number, raised_ms AS raisedMs, document FROM alerts
     WHERE workspace_id = @workspaceId AND severity >= @leastRank AND (@state IS NULL OR state = @state)
       AND raised_ms >= @sinceMs AND raised_ms < @untilMs AND (raised_ms, number) < (@afterMs, @afterNumber)
     ORDER BY raised_ms DESC, number DESC LIMIT @limit`,
  );
  const put = db.prepare<[object]>(
    `INSERT INTO alerts (id, workspace_id, event_key, notify, state, severity, settled, raised_ms, document)
     VALUES (@id, @workspaceId, @key, @notify, @state, @rank, @settled, @raisedMs, @document)
     ON CONFLICT (id) DO UPDATE SET notify = excluded.notify, state = excluded.state, severity = excluded.severity,
       settled = excluded.settled, document = excluded.document`,
  );
  const prune = db.prepare<[string, string, number, number]>(
    `DELETE FROM alerts WHERE number IN (
       SELECT number FROM alerts WHERE workspace_id = ? AND settled = 1 AND number <= (
         SELECT number FROM alerts WHERE workspace_id = ? ORDER BY number DESC LIMIT 1 OFFSET ?) LIMIT ?)`,
  );
  return {
    open: (workspaceId) =>
      open.all(workspaceId).map(({ key, notify, document }) => ({
        ...{ key, notify: notify === 1 },
        alert: JSON.parse(document) as Alert,
      })),
    get(workspaceId, id) {
      const document = get.get(workspaceId, id);
      return document === undefined ? null : (JSON.parse(document) as Alert);
    },
    page(workspaceId, { state, leastRank, sinceMs, untilMs, limit, after }) {
      const found = page.all({
        ...{ workspaceId, state, leastRank, limit: limit + 1 },
        ...{ sinceMs: sinceMs ?? Number.MIN_SAFE_INTEGER, untilMs: untilMs ?? Number.MAX_SAFE_INTEGER },
        ...{ afterMs: after?.ms ?? Number.MAX_SAFE_INTEGER, afterNumber: after?.number ?? Number.MAX_SAFE_INTEGER },
      });
      const rows = found.slice(0, limit);
      const last = rows.at(-1);
      const next = found.length > limit && last ? { ms: last.raisedMs, number: last.number } : null;
      return { rows: rows.map(({ document }) => JSON.parse(document) as Alert), next };
    },
    put(workspaceId, { alert, key, notify }, rank) {
      const { id, state, settled_at, raised_at } = alert;
      put.run({
        ...{ id, workspaceId, key, notify: notify ? 1 : 0, state, rank, settled: settled_at === null ? 0 : 1 },
        ...{ raisedMs: Date.parse(raised_at), document: JSON.stringify(alert) },
      });
    },
    prune: (workspaceId, most, atOnce) => prune.run(workspaceId, workspaceId, most, atOnce).changes,
  };
}

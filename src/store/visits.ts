import type { State } from './state.ts';

const DAY_MS = 86_400_000;
/** Number of days for which visits are kept. */
const KEEP_DAYS = 90;
/**
 * Limit of the visits stored for a workspace. Beyond it the oldest are deleted. It exists because anyone may transmit
 * invented identities.
 */
const MOST = 100_000;

export type Visit = { name: string; day: number; lastMs: number };

/**
 * Visits of aircraft: the UTC days on which an identity was received. `name` is the identity, and `day` is counted from
 * 1970-01-01.
 */
export type VisitRows = {
  /**
   * Returns the number of days on which the identity `name` was received. A day counts only if its last reception was
   * before `beforeMs`.
   */
  earlierDays(workspaceId: string, name: string, beforeMs: number): number;
  /** Writes all visits in one transaction. */
  put(workspaceId: string, visits: readonly Visit[]): void;
  /** Deletes visits older than `KEEP_DAYS`, unless `nowMs` is null. Always deletes the oldest visits beyond `MOST`. */
  prune(workspaceId: string, nowMs: number | null): void;
};

export function dayOf(utcMs: number): number {
  return Math.floor(utcMs / DAY_MS);
}

export function visitRows({ db, write }: State): VisitRows {
  const earlier = db.prepare<[string, string, number], { days: number }>(
    'SELECT count(*) AS days FROM visits WHERE workspace_id = ? AND name = ? AND last_ms < ?',
  );
  const put = db.prepare<[string, string, number, number]>(
    `INSERT INTO visits (workspace_id, name, day, last_ms) VALUES (?, ?, ?, ?)
     ON CONFLICT (workspace_id, name, day) DO UPDATE SET last_ms = max(last_ms, excluded.last_ms)`,
  );
  const prune = db.prepare<[string, number]>('DELETE FROM visits WHERE workspace_id = ? AND day < ?');
  const trim = db.prepare<[string, string, number]>(
    `DELETE FROM visits WHERE workspace_id = ? AND last_ms <=
       (SELECT last_ms FROM visits WHERE workspace_id = ? ORDER BY last_ms DESC LIMIT 1 OFFSET ?)`,
  );
  const putAll = (workspaceId: string, visits: readonly Visit[]): void => {
    for (const { name, day, lastMs } of visits) put.run(workspaceId, name, day, Math.round(lastMs));
  };
  return {
    earlierDays: (workspaceId, name, beforeMs) => earlier.get(workspaceId, name, Math.round(beforeMs))?.days ?? 0,
    put: (workspaceId, visits) => write('The visits', () => putAll(workspaceId, visits)),
    prune(workspaceId, nowMs) {
      if (nowMs !== null) prune.run(workspaceId, dayOf(nowMs) - KEEP_DAYS);
      trim.run(workspaceId, workspaceId, MOST);
    },
  };
}

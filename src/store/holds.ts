import type { Hold } from '../model/hold.ts';
import { formatTime } from '../model/time.ts';
import type { HeldSpan } from './log/held.ts';
import type { State } from './state.ts';

export type HoldRow = Hold & { workspaceId: string };

type Stored = {
  id: string;
  workspaceId: string;
  trackId: string | null;
  sinceMs: number | null;
  untilMs: number | null;
  reason: string;
  createdAt: string;
  createdBy: string;
};

export type HoldRows = {
  /** The newest first. */
  list(workspaceId: string): HoldRow[];
  get(workspaceId: string, id: string): HoldRow | null;
  insert(row: HoldRow): void;
  delete(workspaceId: string, id: string): boolean;
};

const columns = `id, workspace_id AS workspaceId, track_id AS trackId, since_ms AS sinceMs, until_ms AS untilMs, reason,
  created_at AS createdAt, created_by AS createdBy`;

export function holdRows({ db }: State): HoldRows {
  const list = db.prepare<[string], Stored>(
    `SELECT ${columns} FROM holds WHERE workspace_id = ? ORDER BY created_at DESC, id`,
  );
  const get = db.prepare<[string, string], Stored>(`SELECT ${columns} FROM holds WHERE workspace_id = ? AND id = ?`);
  const insert = db.prepare<[Stored]>(
    `INSERT INTO holds (id, workspace_id, track_id, since_ms, until_ms, reason, created_at, created_by)
     VALUES (@id, @workspaceId, @trackId, @sinceMs, @untilMs, @reason, @createdAt, @createdBy)`,
  );
  const remove = db.prepare<[string, string]>('DELETE FROM holds WHERE workspace_id = ? AND id = ?');
  return {
    list: (workspaceId) => list.all(workspaceId).map(rowOf),
    get(workspaceId, id) {
      const stored = get.get(workspaceId, id);
      return stored ? rowOf(stored) : null;
    },
    insert: (row) => void insert.run(storedOf(row)),
    delete: (workspaceId, id) => remove.run(workspaceId, id).changes > 0,
  };
}

/** What the history is to keep. */
export function heldSpans(rows: readonly Hold[]): HeldSpan[] {
  return rows.map(({ track_id, since, until }) => ({
    trackId: track_id,
    sinceMs: since === null ? Number.NEGATIVE_INFINITY : Date.parse(since),
    untilMs: until === null ? Number.POSITIVE_INFINITY : Date.parse(until),
  }));
}

function rowOf({ id, workspaceId, trackId, sinceMs, untilMs, reason, createdAt, createdBy }: Stored): HoldRow {
  const since = sinceMs === null ? null : formatTime(sinceMs);
  const until = untilMs === null ? null : formatTime(untilMs);
  return { id, workspaceId, track_id: trackId, since, until, reason, created_at: createdAt, created_by: createdBy };
}

function storedOf({ id, workspaceId, track_id, since, until, reason, created_at, created_by }: HoldRow): Stored {
  const sinceMs = since === null ? null : Date.parse(since);
  const untilMs = until === null ? null : Date.parse(until);
  return { id, workspaceId, trackId: track_id, sinceMs, untilMs, reason, createdAt: created_at, createdBy: created_by };
}

import type { Hold } from '../model/hold.ts';
import { formatTime } from '../model/time.ts';
import type { HeldSpan } from './log/held.ts';
import type { State } from './state.ts';
import { number, orNull, type RowOf, Statements, table, text } from './table.ts';

const holds = table('holds', 'hold', {
  id: text,
  workspace_id: text,
  track_id: orNull(text),
  since_ms: orNull(number),
  until_ms: orNull(number),
  reason: text,
  created_at: text,
  created_by: text,
});
export type HoldRows = ReturnType<typeof holdRows>;

export function holdRows({ db }: State) {
  const rows = new Statements(db, holds);
  const list = rows.all<[string]>('workspace_id = ? ORDER BY created_at DESC, id');
  const get = rows.one<[string, string]>('workspace_id = ? AND id = ?');
  const insert = rows.insert();
  const msOf = (text: string | null): number | null => (text === null ? null : Date.parse(text));
  return {
    /** Returns all holds of a workspace, the newest first. */
    list: (workspaceId: string) => list(workspaceId).map(holdOf),
    get(workspaceId: string, id: string): Hold | null {
      const row = get(workspaceId, id);
      return row && holdOf(row);
    },
    insert: (workspace_id: string, hold: Hold) =>
      insert({ ...hold, workspace_id, since_ms: msOf(hold.since), until_ms: msOf(hold.until) }),
    delete: rows.delete<[workspaceId: string, id: string]>('workspace_id = ? AND id = ?'),
  };
}

/** Returns the spans of the history that holds protect from deletion. */
export function heldSpans(rows: readonly Hold[]): HeldSpan[] {
  return rows.map(({ track_id, since, until }) => ({
    trackId: track_id,
    sinceMs: since === null ? Number.NEGATIVE_INFINITY : Date.parse(since),
    untilMs: until === null ? Number.POSITIVE_INFINITY : Date.parse(until),
  }));
}

function holdOf({ id, track_id, since_ms, until_ms, reason, created_at, created_by }: RowOf<typeof holds>): Hold {
  const timeOf = (ms: number | null): string | null => (ms === null ? null : formatTime(ms));
  return { id, track_id, since: timeOf(since_ms), until: timeOf(until_ms), reason, created_at, created_by };
}

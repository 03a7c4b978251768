import type { EventQuery, Page } from '../../http/service.ts';
import { type LogEvent, severitiesFrom } from '../../model/event.ts';
import { listAudit } from '../../store/audit_list.ts';
import { readCursor, writeCursor } from '../../store/log/cursor.ts';
import type { HistoryLog } from '../../store/log/history.ts';
import type { State } from '../../store/state.ts';

export type EventSources = { state: State; history: HistoryLog; workspaceId: string; isFirst: boolean };

/**
 * The event log of a workspace: the audit rows of the state and the events of the history in one list, the newest first.
 * Both are ordered by time and number, and numbers are of one counter, so a cursor is a place in both.
 */
export async function listEvents(sources: EventSources, asked: EventQuery): Promise<Page<LogEvent>> {
  const { state, history, workspaceId, isFirst } = sources;
  const { limit, kind, subject, severity, sinceSeq, cursor } = asked;
  const sinceMs = asked.sinceMs ?? Number.NEGATIVE_INFINITY;
  const untilMs = asked.untilMs ?? Number.POSITIVE_INFINITY;
  const page = await history.events({
    kind: kind ?? undefined,
    severity: severity ?? undefined,
    subjectId: subject ?? undefined,
    sinceSeq: sinceSeq ?? undefined,
    sinceMs,
    untilMs,
    limit,
    cursor,
  });
  const after = cursor === null ? null : readCursor('events', cursor);
  const severities = severitiesFrom(severity ?? undefined);
  const audited = listAudit(state, {
    ...{ workspaceId, ofBox: asked.ofBox && isFirst, sinceSeq, sinceMs, untilMs, kind, subject, severities, after },
    limit: limit + 1,
  }).map(({ workspace_id: _workspace, ...row }): LogEvent => row);
  return merged(page.rows, page.next, audited, limit);
}

/** What stands below the end of the history's page waits for the next page: rows may come before it. */
function merged(events: readonly LogEvent[], next: string | null, audited: LogEvent[], limit: number): Page<LogEvent> {
  const end = next === null ? null : readCursor('events', next);
  const due = audited.filter((row) => end === null || compare(row, { ms: end.ms, seq: end.number }) <= 0);
  const rows = [...events, ...due].sort((a, b) => compare(a, { ms: Date.parse(b.at), seq: b.seq }));
  if (rows.length <= limit) return { rows, nextCursor: next };
  rows.length = limit;
  const last = rows.at(-1);
  return { rows, nextCursor: last ? writeCursor('events', { ms: Date.parse(last.at), number: last.seq }) : next };
}

/** Below zero where the row stands above the place. */
function compare(row: LogEvent, place: { ms: number; seq: number }): number {
  return place.ms - Date.parse(row.at) || place.seq - row.seq;
}

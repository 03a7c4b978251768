import { type LogEvent, type Severity, severitiesFrom } from '../model/event.ts';
import type { Page, PageQuery } from '../model/page.ts';
import { listAudit } from '../store/audit_list.ts';
import { readCursor, writeCursor } from '../store/log/cursor.ts';
import type { HistoryLog } from '../store/log/history.ts';
import type { State } from '../store/state.ts';

type Position = { ms: number; number: number };

/** Approximate limit of a page, bytes. */
const PAGE_BYTES = 1024 * 1024;
/** Approximate size of a row without `before`, `after` and `text`, bytes. */
const ROW_BYTES = 600;

type EventSources = { state: State; history: HistoryLog; workspaceId: string; isFirst: boolean };

export type EventQuery = PageQuery & {
  sinceSeq: number | null;
  kind: string | null;
  subject: string | null;
  /** Lowest severity that is returned; null returns all. */
  severity: Severity | null;
  /**
   * True to include the rows of the box itself, which belong to no workspace. They are listed only in the first
   * workspace.
   */
  ofBox: boolean;
};

/**
 * Event log of a workspace, newest first. It merges the audit rows of the state database with the events of the
 * history. Both sources are ordered by time and by the numbers of a common counter, so one cursor is a position in
 * both.
 */
export class EventService {
  readonly #sources: EventSources;

  constructor(sources: EventSources) {
    this.#sources = sources;
  }

  async list(asked: EventQuery): Promise<Page<LogEvent>> {
    const { state, history, workspaceId, isFirst } = this.#sources;
    const { limit, kind, subject, severity, sinceSeq, cursor } = asked;
    const sinceMs = asked.sinceMs ?? Number.NEGATIVE_INFINITY;
    const untilMs = asked.untilMs ?? Number.POSITIVE_INFINITY;
    const page = await history.events({
      kind,
      severity,
      subjectId: subject,
      sinceSeq,
      sinceMs,
      untilMs,
      limit,
      cursor,
    });
    const after = cursor === null ? null : readCursor('events', cursor);
    const severities = severitiesFrom(severity ?? undefined);
    const audit = listAudit(state, {
      ...{ workspaceId, ofBox: asked.ofBox && isFirst, sinceSeq, sinceMs, untilMs, kind, subject, severities, after },
      limit: limit + 1,
    });
    const audited = audit.rows.map(({ workspace_id: _workspace, ...row }): LogEvent => row);
    const ends = [page.next === null ? [] : [readCursor('events', page.next)], audit.end ?? []].flat();
    return merged([...page.rows, ...audited], ends, limit);
  }
}

/**
 * Sorts the rows of both sources, newest first, into a page. `ends` are the positions at which a source was cut. Rows
 * older than a cut wait for the next page, because the cut source may have newer rows there. A page with long rows has
 * fewer rows than requested.
 */
function merged(listed: readonly LogEvent[], ends: readonly Position[], limit: number): Page<LogEvent> {
  const due = listed.filter((row) => ends.every((end) => compare(row, end) <= 0));
  const rows = due.sort((a, b) => compare(a, { ms: Date.parse(b.at), number: b.seq }));
  const fitting = fittingOf(rows, limit);
  const last = rows[fitting - 1];
  if (fitting === rows.length && ends.length === 0) return { rows, nextCursor: null };
  if (fitting < rows.length && last) {
    rows.length = fitting;
    return { rows, nextCursor: writeCursor('events', { ms: Date.parse(last.at), number: last.seq }) };
  }
  const [end] = [...ends].sort((a, b) => b.ms - a.ms || b.number - a.number);
  return { rows, nextCursor: end ? writeCursor('events', end) : null };
}

/** Returns the number of rows that fit into one page: at least one, whatever the row's size. */
function fittingOf(rows: readonly LogEvent[], limit: number): number {
  let bytes = 0;
  for (let at = 0; at < Math.min(rows.length, limit); at++) {
    const { before, after, text } = rows[at] ?? {};
    bytes += JSON.stringify([before, after, text]).length + ROW_BYTES;
    if (bytes > PAGE_BYTES && at > 0) return at;
  }
  return Math.min(rows.length, limit);
}

/** Compares a row with a position, in the order newest first. Returns a negative number if the row is newer. */
function compare(row: LogEvent, place: Position): number {
  return place.ms - Date.parse(row.at) || place.number - row.seq;
}

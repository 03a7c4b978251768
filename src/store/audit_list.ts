import { kindsForAll, type LogEvent, severities } from '../model/event.ts';
import { type AuditRow, auditColumns, readable, type StoredAudit } from './audit.ts';
import type { State } from './state.ts';

export type AuditQuery = {
  workspaceId: string;
  /**
   * True to include rows of the box, which belong to no workspace. If false, only box rows of kinds that concern every
   * workspace are included.
   */
  ofBox: boolean;
  sinceSeq: number | null;
  /** Period, UTC ms: `sinceMs` is inclusive, `untilMs` exclusive. */
  sinceMs: number;
  untilMs: number;
  kind: string | null;
  subject: string | null;
  /** Requested severities; an empty list means all. */
  severities: readonly LogEvent['severity'][];
  /** Position in the list after which rows are returned; null for the beginning. */
  after: { ms: number; number: number } | null;
  limit: number;
};

/**
 * Page of rows, newest first. If `READ_BYTES` cut the page, the next page continues after the position `end`. Otherwise
 * `end` is null, even if the page has `limit` rows and more rows follow.
 */
export type AuditPage = { rows: AuditRow[]; end: { ms: number; number: number } | null };

/**
 * Rows found so far. If a query stopped early, `end` is the row at which it stopped; of several such rows, the newest.
 */
type Found = { rows: StoredAudit[]; end: StoredAudit | null };

/** Length of the values before and after a change at which one query stops reading, UTF-16 units of JSON. */
const READ_BYTES = 1024 * 1024;

/**
 * Returns the ids of the tracks that people dropped or merged, from the newest `ENDED_ROWS` such rows. After a power
 * failure the history may lack these events.
 */
export function endedByHand(state: State, workspaceId: string): Set<string> {
  const sql = `SELECT subject ->> 'id' FROM audit WHERE workspace_id = ? AND kind IN ('track.dropped', 'track.merged')
    ORDER BY seq DESC LIMIT ${ENDED_ROWS}`;
  return new Set(state.db.prepare<[string], string>(sql).pluck().all(workspaceId));
}

type Values = Record<string, string | number | null>;

/** Distance in log numbers: a query whose `sinceSeq` is less than this behind the newest row scans without an index. */
const FEW_ROWS = 10_000;
const ENDED_ROWS = 5_000;
const NEWEST_TEXT_MS = Date.UTC(9999, 0);

/**
 * Lists audit rows, newest first. Each query uses an index, or scans only the newest rows, so it is fast even with a
 * million rows. Rows of the workspace and rows of the box have a query each, and so has each severity that
 * `severitiesOf` returns. A single query would have to sort all rows.
 */
export function listAudit(state: State, query: AuditQuery): AuditPage {
  const { workspaceId, ofBox, kind: asked } = query;
  const found: Found = { rows: [], end: null };
  find(state, query, workspaceId, found);
  if (ofBox) find(state, query, null, found);
  else {
    const kinds = kindsForAll.filter((kind) => asked === null || kind === asked);
    for (const kind of kinds) find(state, { ...query, kind }, null, found);
  }
  const { rows, end } = found;
  rows.sort(compareRows);
  const due = rows.filter((row) => end === null || compareRows(row, end) <= 0).slice(0, query.limit);
  const place = end && { ms: Date.parse(String(end.at)), number: Number(end.seq) };
  return { rows: due.flatMap(readable), end: place };
}

/** Adds the rows of one workspace to `found`; null means the rows of the box. */
function find(state: State, query: AuditQuery, workspaceId: string | null, found: Found): void {
  const [sql, values] = questionOf(state, query);
  for (const severity of severitiesOf(query)) {
    const where = severity === null ? sql : sql.replace('WHERE', 'WHERE severity = @severity AND');
    const given = { ...values, workspaceId, ...(severity === null ? {} : { severity }) };
    const last = takeSome(state.db.prepare<[Values], StoredAudit>(where).iterate(given), found.rows);
    if (last && (found.end === null || compareRows(last, found.end) < 0)) found.end = last;
  }
}

/**
 * Takes rows until `READ_BYTES` is exceeded, because a full page of the longest rows would have many megabytes. Returns
 * the last taken row if this limit ended the reading, else null.
 */
function takeSome(rows: Iterable<StoredAudit>, found: StoredAudit[]): StoredAudit | null {
  let bytes = 0;
  for (const row of rows) {
    found.push(row);
    bytes += lengthOf(row.before) + lengthOf(row.after);
    if (bytes > READ_BYTES) return row;
  }
  return null;
}

function lengthOf(text: string | number | null): number {
  return typeof text === 'string' ? text.length : 0;
}

/** Compares two rows by the order of the list: newest first. */
function compareRows(a: StoredAudit, b: StoredAudit): number {
  return compareText(b.at, a.at) || Number(b.seq) - Number(a.seq);
}

function questionOf(state: State, query: AuditQuery): [sql: string, values: Values] {
  const { sinceSeq, after, kind, subject, limit } = query;
  const until = after === null ? query.untilMs : Math.min(query.untilMs, after.ms + 1);
  const values: Values = { since: timeText(query.sinceMs), until: timeText(until), limit };
  const where = ['workspace_id IS @workspaceId', 'at >= @since', 'at < @until'];
  const add = (sql: string, given: Values): void => {
    where.push(sql);
    Object.assign(values, given);
  };
  if (after !== null)
    add('(at < @afterAt OR seq < @afterSeq)', { afterAt: timeText(after.ms), afterSeq: after.number });
  if (kind !== null) add('kind = @kind', { kind });
  if (subject !== null) add("subject ->> 'id' = @subject", { subject });
  if (sinceSeq !== null) add('seq > @sinceSeq', { sinceSeq });
  const few = sinceSeq !== null && lastSeq(state) - sinceSeq < FEW_ROWS;
  const from = `audit ${few ? 'NOT INDEXED' : `INDEXED BY ${indexFor(query)}`}`;
  const sql = `SELECT ${auditColumns} FROM ${from} WHERE ${where.join(' AND ')} ORDER BY at DESC, seq DESC LIMIT @limit`;
  return [sql, values];
}

/**
 * Returns the severities that need a query each; null stands for one query of all severities. A kind without a subject
 * needs one query per severity, because its index is sorted by severity first.
 */
function severitiesOf({ severities: asked, kind, subject }: AuditQuery): readonly (string | null)[] {
  if (asked.length > 0) return asked;
  return kind !== null && subject === null ? severities : [null];
}

/** Returns the index that a query must use. Left alone, SQLite would use the time index for every query. */
function indexFor({ subject, kind, severities: asked }: AuditQuery): string {
  if (subject !== null) return 'audit_subject';
  if (kind !== null) return 'audit_kind';
  return asked.length > 0 ? 'audit_severity' : 'audit_at';
}

function lastSeq(state: State): number {
  return state.db.prepare<[], number>('SELECT max(seq) FROM audit').pluck().get() ?? 0;
}

function compareText(a: unknown, b: unknown): number {
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}

/**
 * Formats a time for comparison with stored times, which are compared as text. Times before 1970 or after 9998 are
 * limited to these years.
 */
function timeText(ms: number): string {
  return new Date(Math.min(Math.max(ms, 0), NEWEST_TEXT_MS)).toISOString();
}

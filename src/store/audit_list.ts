import { kindsForAll, type LogEvent, severities } from '../model/event.ts';
import { type AuditRow, auditColumns, readable, type StoredAudit } from './audit.ts';
import type { State } from './state.ts';

export type AuditQuery = {
  workspaceId: string;
  /**
   * Whether the rows of the box are included, which belong to no workspace. Without them, only kinds that concern
   * everyone are included.
   */
  ofBox: boolean;
  sinceSeq: number | null;
  /** `sinceMs` is included, `untilMs` is not. */
  sinceMs: number;
  untilMs: number;
  kind: string | null;
  subject: string | null;
  /** Empty for all severities. */
  severities: readonly LogEvent['severity'][];
  /** Only rows that follow this position in the list. */
  after: { ms: number; number: number } | null;
  limit: number;
};

/** Rows, newest first. `end` is the position after which rows were not read; null where all were read. */
export type AuditPage = { rows: AuditRow[]; end: { ms: number; number: number } | null };

/** `end` is the newest of the rows at which a query stopped early. */
type Found = { rows: StoredAudit[]; end: StoredAudit | null };

/** Limit of the bytes that one query reads. */
const READ_BYTES = 1024 * 1024;

/** Ids of tracks that people dropped or merged recently. After a power cut the history may lack these events. */
export function endedByHand(state: State, workspaceId: string): Set<string> {
  const sql = `SELECT subject ->> 'id' FROM audit WHERE workspace_id = ? AND kind IN ('track.dropped', 'track.merged')
    ORDER BY seq DESC LIMIT ${ENDED_ROWS}`;
  return new Set(state.db.prepare<[string], string>(sql).pluck().all(workspaceId));
}

type Values = Record<string, string | number | null>;

/** Number of newest rows that are scanned without an index; for more rows an index is used. */
const FEW_ROWS = 10_000;
const ENDED_ROWS = 5_000;
const NEWEST_TEXT_MS = Date.UTC(9999, 0);

/**
 * Audit rows, newest first. The query uses an index, so it is fast even among a million rows. Each workspace and each
 * severity has a query of its own, since a common query would have to sort all rows.
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

/** Finds the rows of one workspace, or of the box (null). */
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
 * Takes rows up to the limit of bytes. Returns the last taken row where more may follow, else null: a full page of the
 * longest rows has many megabytes.
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

/** Order of the list: newest first. */
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

/** Severities that need queries of their own. The index of kinds is sorted by severity within a kind. */
function severitiesOf({ severities: asked, kind, subject }: AuditQuery): readonly (string | null)[] {
  if (asked.length > 0) return asked;
  return kind !== null && subject === null ? severities : [null];
}

/** Index of a query. SQLite by itself would use the index of time for every query. */
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

/** A time as text, since times of rows are compared as text. Times outside the years of this text are clamped. */
function timeText(ms: number): string {
  return new Date(Math.min(Math.max(ms, 0), NEWEST_TEXT_MS)).toISOString();
}

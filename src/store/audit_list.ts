import { kindsForAll, type LogEvent, severities } from '../model/event.ts';
import { type AuditRow, auditColumns, readable, type StoredAudit } from './audit.ts';
import type { State } from './state.ts';

export type AuditQuery = {
  workspaceId: string;
  /** With the rows of the box, which belong to no workspace; without, those of them that concern everyone. */
  ofBox: boolean;
  sinceSeq: number | null;
  /** `sinceMs` is included, `untilMs` is not. */
  sinceMs: number;
  untilMs: number;
  kind: string | null;
  subject: string | null;
  /** Empty for all. */
  severities: readonly LogEvent['severity'][];
  /** Rows that stand after this one in the list alone. */
  after: { ms: number; number: number } | null;
  limit: number;
};

/** Rows, the newest first, and their end where it lies before the end of the request: rows below were not read. */
export type AuditPage = { rows: AuditRow[]; end: { ms: number; number: number } | null };

/** `end` is the newest of the places where a question was broken off. */
type Found = { rows: StoredAudit[]; end: StoredAudit | null };

/** Limit for the rows that one query reads at once, bytes. */
const READ_BYTES = 1024 * 1024;

/** Tracks that people dropped or merged of late, by their ids: the history may lack the event after a power cut. */
export function endedByHand(state: State, workspaceId: string): Set<string> {
  const sql = `SELECT subject ->> 'id' FROM audit WHERE workspace_id = ? AND kind IN ('track.dropped', 'track.merged')
    ORDER BY seq DESC LIMIT ${ENDED_ROWS}`;
  return new Set(state.db.prepare<[string], string>(sql).pluck().all(workspaceId));
}

type Values = Record<string, string | number | null>;

/** Rows up to which the newest are scanned one by one; beyond, an index leads to the wanted ones. */
const FEW_ROWS = 10_000;
const ENDED_ROWS = 5_000;
const NEWEST_TEXT_MS = Date.UTC(9999, 0);

/**
 * Audit rows, the newest first. Answers from an index also among a million: each workspace and each severity is asked by
 * itself, since one question over several would have to sort them all.
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

/** Finds the rows of one workspace, or of none. */
function find(state: State, query: AuditQuery, workspaceId: string | null, found: Found): void {
  const [sql, values] = questionOf(state, query);
  for (const severity of severitiesOf(query)) {
    const where = severity === null ? sql : sql.replace('WHERE', 'WHERE severity = @severity AND');
    const given = { ...values, workspaceId, ...(severity === null ? {} : { severity }) };
    const last = takeSome(state.db.prepare<[Values], StoredAudit>(where).iterate(given), found.rows);
    if (last && (found.end === null || compareRows(last, found.end) < 0)) found.end = last;
  }
}

/** Returns the last row that was taken where more may follow: a page of rows as long as they may be is many megabytes. */
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

/** The newest first. */
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

/** Rows of one kind stand by their severity in their index. */
function severitiesOf({ severities: asked, kind, subject }: AuditQuery): readonly (string | null)[] {
  if (asked.length > 0) return asked;
  return kind !== null && subject === null ? severities : [null];
}

/** Left to itself, SQLite uses the index of time for everything. */
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

/** Times of rows are compared as their text; times outside the years of that text are clamped. */
function timeText(ms: number): string {
  return new Date(Math.min(Math.max(ms, 0), NEWEST_TEXT_MS)).toISOString();
}

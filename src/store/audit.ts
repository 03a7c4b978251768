import { createHash } from 'node:crypto';
import { type LogEvent, logEventSchema } from '../model/event.ts';
import { Fault } from '../model/fault.ts';
import type { State } from './state.ts';

/** What the first row of the chain stands on. */
export const CHAIN_BEGIN = '0'.repeat(64);

/** A row before it has its place in the chain. */
export type AuditEntry = Omit<LogEvent, 'prev_hash' | 'hash'> & { workspace_id: string | null };
export type AuditRow = LogEvent & { workspace_id: string | null; prev_hash: string; hash: string };

export type AuditQuery = {
  /** Null asks for the box, whatever the workspace. */
  workspaceId: string | null;
  sinceSeq: number;
  /** Rows before this number alone, newest first. */
  beforeSeq: number;
  sinceMs: number;
  untilMs: number;
  kind: string | null;
  subject: string | null;
  severities: readonly string[];
  limit: number;
};

type Stored = Record<keyof AuditRow, string | number | null>;

const columns = `seq, id, workspace_id, at, kind, severity, actor, subject, text, before, after, reason, correlation_id,
  policy_version, provenance, prev_hash, hash`;
const documents = ['actor', 'subject', 'before', 'after'] as const;

/**
 * The hash of a row: SHA-256 over the hash before it and the row's own fields, each as JSON, in the order of the columns.
 * Written down here so that anybody can check a chain with nothing but this rule.
 */
export function hashOf(stored: Stored, prevHash: string): string {
  const fields = columns.split(',').map((column) => column.trim() as keyof AuditRow);
  const told = fields
    .filter((field) => field !== 'prev_hash' && field !== 'hash')
    .map((field) => stored[field] ?? null);
  return createHash('sha256')
    .update(JSON.stringify([prevHash, ...told]))
    .digest('hex');
}

/** The audit rows of a box: appended, read, never changed. */
export class AuditRows {
  readonly #state: State;
  readonly #insert;
  readonly #last;

  constructor(state: State) {
    this.#state = state;
    const values = columns
      .split(',')
      .map((column) => `@${column.trim()}`)
      .join(', ');
    this.#insert = state.db.prepare<[Stored]>(`INSERT INTO audit (${columns}) VALUES (${values})`);
    this.#last = state.db.prepare<[], { seq: number; hash: string }>(
      'SELECT seq, hash FROM audit UNION ALL SELECT seq, hash FROM audit_checkpoints ORDER BY seq DESC LIMIT 1',
    );
  }

  lastSeq(): number {
    return this.#last.get()?.seq ?? 0;
  }

  /** Puts a row at the end of the chain; call inside the transaction of what it tells of. */
  append(entry: AuditEntry): AuditRow {
    const prevHash = this.#last.get()?.hash ?? CHAIN_BEGIN;
    const stored = { ...entry, prev_hash: prevHash, hash: '' } as unknown as Stored;
    for (const field of documents) stored[field] = entry[field] === null ? null : JSON.stringify(entry[field]);
    const hash = hashOf(stored, prevHash);
    this.#insert.run({ ...stored, hash });
    return { ...entry, prev_hash: prevHash, hash };
  }

  /** Newest first. */
  list(query: AuditQuery): AuditRow[] {
    const { severities } = query;
    const places = severities.map((_, i) => `@severity${i}`).join(', ');
    const sql = `SELECT ${columns} FROM audit WHERE seq > @sinceSeq AND seq < @beforeSeq AND at >= @since AND at < @until
      AND (@workspaceId IS NULL OR workspace_id IS @workspaceId OR workspace_id IS NULL)
      AND (@kind IS NULL OR kind = @kind) AND (@subject IS NULL OR subject ->> 'id' = @subject)
      ${severities.length === 0 ? '' : `AND severity IN (${places})`} ORDER BY seq DESC LIMIT @limit`;
    const asked = {
      ...query,
      since: timeText(query.sinceMs),
      until: timeText(query.untilMs),
      ...Object.fromEntries(severities.map((severity, i) => [`severity${i}`, severity])),
      severities: undefined,
    };
    return this.#state.db.prepare<[object], Stored>(sql).all(asked).map(rowOf);
  }

  /** Those after a number, the oldest first. */
  since(seq: number): AuditRow[] {
    const sql = `SELECT ${columns} FROM audit WHERE seq > ? ORDER BY seq`;
    return this.#state.db.prepare<[number], Stored>(sql).all(seq).map(rowOf);
  }

  /** Every row as stored, the oldest first, for whoever checks the chain. */
  all(): IterableIterator<Stored> {
    return this.#state.db.prepare<[], Stored>(`SELECT ${columns} FROM audit ORDER BY seq`).iterate();
  }
}

/** Times of rows are compared as their text; nothing is told outside the years that text has. */
function timeText(ms: number): string {
  const most = Date.UTC(9999, 0);
  return new Date(Math.min(Math.max(ms, 0), most)).toISOString();
}

function rowOf(stored: Stored): AuditRow {
  const { workspace_id, ...rest } = stored as Record<string, unknown>;
  for (const field of documents) rest[field] = rest[field] === null ? null : JSON.parse(String(rest[field]));
  const read = logEventSchema.safeParse(rest);
  if (read.success) return { ...read.data, workspace_id: workspace_id as string | null } as AuditRow;
  throw new Fault('internal', `the audit row ${rest.seq} does not read: ${read.error.issues[0]?.message}`);
}

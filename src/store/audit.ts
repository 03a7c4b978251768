import { createHash } from 'node:crypto';
import { type LogEvent, logEventSchema } from '../model/event.ts';
import { Fault } from '../model/fault.ts';
import type { State } from './state.ts';

/** What the first row of the chain stands on. */
export const CHAIN_BEGIN = '0'.repeat(64);

/** A row before it has its place in the chain. */
export type AuditEntry = Omit<LogEvent, 'prev_hash' | 'hash'> & { workspace_id: string | null };
export type AuditRow = LogEvent & { workspace_id: string | null; prev_hash: string; hash: string };

/** A row as it stands in the table. */
export type StoredAudit = Record<keyof AuditRow, string | number | null>;

export const auditColumns = `seq, id, workspace_id, at, kind, severity, actor, subject, text, before, after, reason, correlation_id,
  policy_version, provenance, prev_hash, hash`;
const fields = auditColumns.split(',').map((column) => column.trim() as keyof AuditRow);
const hashedFields = fields.filter((field) => field !== 'prev_hash' && field !== 'hash');
const documents = ['actor', 'subject', 'before', 'after'] as const;

/**
 * The hash of a row: SHA-256 over the hash before it and the row's own fields, each as JSON, in the order of the columns.
 * Written down here so that anybody can check a chain with nothing but this rule.
 */
export function hashOf(stored: StoredAudit, prevHash: string): string {
  const told = hashedFields.map((field) => stored[field] ?? null);
  return createHash('sha256')
    .update(JSON.stringify([prevHash, ...told]))
    .digest('hex');
}

/** The audit rows of a box: appended, read, never changed. */
export class AuditRows {
  readonly #insert;
  readonly #last;
  readonly #since;

  constructor(state: State) {
    this.#since = state.db.prepare<[number], StoredAudit>(
      `SELECT ${auditColumns} FROM audit WHERE seq > ? ORDER BY seq`,
    );
    const values = fields.map((field) => `@${field}`).join(', ');
    this.#insert = state.db.prepare<[StoredAudit]>(`INSERT INTO audit (${auditColumns}) VALUES (${values})`);
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
    const stored = { ...entry, ...asStored(entry), prev_hash: prevHash, hash: '' } as unknown as StoredAudit;
    for (const field of documents) stored[field] = entry[field] === null ? null : JSON.stringify(entry[field]);
    // The database keeps UTF-8: half of a surrogate pair would come back as another character than was hashed.
    for (const field of hashedFields)
      if (typeof stored[field] === 'string') stored[field] = stored[field].toWellFormed();
    const hash = hashOf(stored, prevHash);
    this.#insert.run({ ...stored, hash });
    return { ...entry, ...asStored(entry), prev_hash: prevHash, hash };
  }

  /** Those after a number, the oldest first. */
  since(seq: number): AuditRow[] {
    return this.#since.all(seq).flatMap(readable);
  }

  /** Where the chain ends: its last row, or what was pruned last; null before the first row. */
  head(): { seq: number; hash: string } | null {
    return this.#last.get() ?? null;
  }
}

/** Texts as the database gives them back: the hash is over what can be read again. */
function asStored({ text, reason }: AuditEntry): Pick<AuditEntry, 'text' | 'reason'> {
  const again = (said: string): string => Buffer.from(said, 'utf8').toString('utf8').replaceAll('\u0000', '\ufffd');
  return { text: again(text), reason: reason === null ? null : again(reason) };
}

/** A row that somebody damaged is `dunlin audit verify`'s to tell of; the others are answered. */
export function readable(stored: StoredAudit): AuditRow[] {
  try {
    return [auditRowOf(stored)];
  } catch {
    return [];
  }
}

/** A stored row as it is told. Throws a Fault `internal` where it does not read. */
export function auditRowOf(stored: StoredAudit): AuditRow {
  const { workspace_id, ...rest } = stored as Record<string, unknown>;
  for (const field of documents) rest[field] = rest[field] === null ? null : JSON.parse(String(rest[field]));
  const read = logEventSchema.safeParse(rest);
  if (read.success) return { ...read.data, workspace_id: workspace_id as string | null } as AuditRow;
  throw new Fault('internal', `the audit row ${rest.seq} does not read: ${read.error.issues[0]?.message}`);
}

import { createHash } from 'node:crypto';
import { type LogEvent, logEventSchema } from '../model/event.ts';
import { Fault, unavailable } from '../model/fault.ts';
import { isOfTrigger } from './failures.ts';
import type { State } from './state.ts';

/** `prev_hash` of the first row of the chain. */
export const CHAIN_BEGIN = '0'.repeat(64);

/** Audit row before its position in the chain is known. */
export type AuditEntry = Omit<LogEvent, 'prev_hash' | 'hash'> & { workspace_id: string | null };
export type AuditRow = LogEvent & { workspace_id: string | null; prev_hash: string; hash: string };

/** Audit row as the values of the table's columns. */
export type StoredAudit = Record<keyof AuditRow, string | number | null>;

export const auditColumns = `seq, id, workspace_id, at, kind, severity, actor, subject, text, before, after, reason, correlation_id,
  policy_version, provenance, prev_hash, hash`;
const fields = auditColumns.split(',').map((column) => column.trim() as keyof AuditRow);
const hashedFields = fields.filter((field) => field !== 'prev_hash' && field !== 'hash');
const documents = ['actor', 'subject', 'before', 'after'] as const;

/**
 * Computes the hash of a row: SHA-256 over the previous hash and the row's fields as a JSON list, in the order of the
 * columns. This is the complete rule, so anyone can verify a chain with it.
 */
export function hashOf(stored: StoredAudit, prevHash: string): string {
  const hashed = hashedFields.map((field) => stored[field] ?? null);
  return createHash('sha256')
    .update(JSON.stringify([prevHash, ...hashed]))
    .digest('hex');
}

/** Audit rows of a box. This class appends and reads rows. No row is ever changed; `pruneAudit` deletes old rows. */
export class AuditRows {
  readonly #insert;
  readonly #newest;
  readonly #last;
  readonly #since;

  constructor(state: State) {
    this.#since = state.db.prepare<[number], StoredAudit>(
      `SELECT ${auditColumns} FROM audit WHERE seq > ? ORDER BY seq`,
    );
    const values = fields.map((field) => `@${field}`).join(', ');
    this.#insert = state.db.prepare<[StoredAudit]>(`INSERT INTO audit (${auditColumns}) VALUES (${values})`);
    this.#newest = state.db.prepare<[], StoredAudit>(`SELECT ${auditColumns} FROM audit ORDER BY seq DESC LIMIT 1`);
    this.#last = state.db.prepare<[], { seq: number; hash: string }>(
      'SELECT seq, hash FROM audit UNION ALL SELECT seq, hash FROM audit_checkpoints ORDER BY seq DESC LIMIT 1',
    );
  }

  lastSeq(): number {
    return this.#last.get()?.seq ?? 0;
  }

  /**
   * Appends a row to the chain. Call it inside the transaction of the change that the row records. Throws a Fault
   * `unavailable` if a trigger refuses the row, or if it cannot be read back as the last row of the table.
   */
  append(entry: AuditEntry): AuditRow {
    const prevHash = this.#last.get()?.hash ?? CHAIN_BEGIN;
    const stored = { ...entry, ...asStored(entry), prev_hash: prevHash, hash: '' } as unknown as StoredAudit;
    for (const field of documents) stored[field] = entry[field] === null ? null : JSON.stringify(entry[field]);
    // SQLite stores text as UTF-8. An unpaired surrogate would be read back as another character, and the hash would no
    // longer match.
    for (const field of hashedFields)
      if (typeof stored[field] === 'string') stored[field] = stored[field].toWellFormed();
    const hash = hashOf(stored, prevHash);
    this.#put({ ...stored, hash }, prevHash);
    return { ...entry, ...asStored(entry), prev_hash: prevHash, hash };
  }

  /**
   * Inserts the row and reads it back, because a foreign trigger in the database could ignore, change or delete the
   * row.
   */
  #put(row: StoredAudit, prevHash: string): void {
    try {
      const { changes } = this.#insert.run(row);
      const kept = this.#newest.get();
      if (changes === 1 && kept?.hash === row.hash && hashOf(kept, prevHash) === row.hash) return;
    } catch (thrown) {
      if (!isOfTrigger(thrown)) throw thrown;
    }
    const why = "an object in state.db, such as a trigger, prevents it; 'dunlin audit verify' names the object";
    throw unavailable(`nothing was changed, because the row ${row.kind} could not be added to the audit log: ${why}`);
  }

  /** Returns the rows after a sequence number, the oldest first. Leaves out damaged rows. */
  since(seq: number): AuditRow[] {
    return this.#since.all(seq).flatMap(readable);
  }

  /**
   * Returns number and hash of the last row of the chain; if no row is left, those of the last checkpoint. Null without
   * either.
   */
  head(): { seq: number; hash: string } | null {
    return this.#last.get() ?? null;
  }
}

/** Converts texts to the form in which the database returns them. The hash is computed from this form. */
function asStored({ text, reason }: AuditEntry): Pick<AuditEntry, 'text' | 'reason'> {
  const again = (said: string): string => Buffer.from(said, 'utf8').toString('utf8').replaceAll('\u0000', '\ufffd');
  return { text: again(text), reason: reason === null ? null : again(reason) };
}

/** Parses a stored row. Returns an empty list for a damaged row; `dunlin audit verify` reports such rows. */
export function readable(stored: StoredAudit): AuditRow[] {
  try {
    return [auditRowOf(stored)];
  } catch {
    return [];
  }
}

/** Converts a stored row to the form that the interface serves. Throws if the row cannot be parsed. */
export function auditRowOf(stored: StoredAudit): AuditRow {
  const { workspace_id, ...rest } = stored as Record<string, unknown>;
  for (const field of documents) rest[field] = rest[field] === null ? null : JSON.parse(String(rest[field]));
  const read = logEventSchema.safeParse(rest);
  if (read.success) return { ...read.data, workspace_id: workspace_id as string | null } as AuditRow;
  throw new Fault('internal', `the audit row ${rest.seq} is invalid: ${read.error.issues[0]?.message}`);
}

import type Database from 'better-sqlite3';
import { auditColumns, CHAIN_BEGIN, hashOf, type StoredAudit } from './audit.ts';
import { checkpointsOf, isCheckpointGenuine } from './audit_checkpoint.ts';
import { type AuditHead, isHeadGenuine } from './audit_head.ts';
import type { AuditKey } from './audit_key.ts';

/** What is wrong, and with which row, as far as one can be named. */
export type Break = { seq: number | null; kind: string | null; at: string | null; why: string };
export type ChainReport = {
  rows: number;
  from: { seq: number; at: string } | null;
  to: { seq: number; at: string } | null;
  /** The first row, in their order, that is not as it was written. */
  broken: Break | null;
  /** What could not be checked, as sentences. */
  unchecked: string[];
};

/**
 * Walks the chain of audit rows from its beginning, or the signed checkpoint that stands for it, to its end. `head` is
 * the note of where it had come to. Reads one state of the database, also while a daemon writes.
 */
export function verifyChain(
  db: Database.Database,
  key: AuditKey,
  head: AuditHead | 'unreadable' | null,
  onProgress: (rows: number) => void = () => {},
): ChainReport {
  return db.transaction(() => new Walk(db, key, onProgress).run(head))();
}

const progressRows = 10_000;

class Walk {
  readonly #db: Database.Database;
  readonly #key: AuditKey;
  readonly #onProgress: (rows: number) => void;
  readonly #report: ChainReport = { rows: 0, from: null, to: null, broken: null, unchecked: [] };
  #expected = CHAIN_BEGIN;
  #pruned = 0;
  #sawHead = false;

  constructor(db: Database.Database, key: AuditKey, onProgress: (rows: number) => void) {
    this.#db = db;
    this.#key = key;
    this.#onProgress = onProgress;
  }

  run(head: AuditHead | 'unreadable' | null): ChainReport {
    this.#checkpoints();
    if (this.#report.broken === null) this.#rows(head);
    this.#report.broken ??= this.#end(head);
    return this.#report;
  }

  #checkpoints(): void {
    for (const checkpoint of checkpointsOf(this.#db)) {
      const { seq, at } = checkpoint;
      const genuine = isCheckpointGenuine(checkpoint, this.#key);
      const named = { seq, kind: 'checkpoint', at };
      if (genuine === false) this.#report.broken = { ...named, why: 'the signature of the checkpoint is wrong' };
      if (genuine === null) this.#report.unchecked.push(`the key that signed the checkpoint at ${seq} is not here`);
      if (this.#report.broken !== null) return;
      this.#expected = checkpoint.hash;
      this.#pruned = seq;
    }
  }

  #rows(head: AuditHead | 'unreadable' | null): void {
    const rows = this.#db.prepare<[], StoredAudit>(`SELECT ${auditColumns} FROM audit ORDER BY seq`).iterate();
    for (const row of rows) {
      const why = this.#fault(row) ?? this.#rewritten(row, head);
      const place = { seq: Number(row.seq), at: String(row.at) };
      if (why !== null) {
        this.#report.broken = { ...place, kind: String(row.kind), why };
        return;
      }
      this.#expected = String(row.hash);
      this.#report.from ??= place;
      this.#report.to = place;
      this.#report.rows += 1;
      if (this.#report.rows % progressRows === 0) this.#onProgress(this.#report.rows);
    }
  }

  #fault(row: StoredAudit): string | null {
    if (Number(row.seq) <= this.#pruned) return 'it stands before the checkpoint that the chain begins at';
    if (row.prev_hash !== this.#expected) {
      const before = this.#report.to?.seq ?? this.#pruned;
      const which = before === 0 ? 'the beginning of the chain' : `row ${before}`;
      return `it does not follow ${which}: a row between them is missing, or its own prev_hash was changed`;
    }
    return hashOf(row, this.#expected) === row.hash ? null : 'its hash does not match its fields';
  }

  #rewritten(row: StoredAudit, head: AuditHead | 'unreadable' | null): string | null {
    if (head === null || head === 'unreadable' || row.seq !== head.seq) return null;
    this.#sawHead = true;
    if (row.hash === head.hash) return null;
    return `it had another hash on ${head.at}: the chain was written anew since`;
  }

  /** What the note of where the chain had come to says against its end. */
  #end(head: AuditHead | 'unreadable' | null): Break | null {
    const { to, unchecked } = this.#report;
    const note = 'the note of where the chain had come to';
    const broken = (seq: number | null, why: string): Break => ({ seq, kind: null, at: null, why });
    if (head === 'unreadable') return broken(null, `${note} does not read`);
    if (head === null) {
      if (to) unchecked.push(`${note} is not there: rows missing from its end would not show`);
      return null;
    }
    const genuine = isHeadGenuine(head, this.#key);
    if (genuine === false) return broken(null, `${note} has a wrong signature`);
    if (genuine === null) unchecked.push(`the key that signed ${note} is not here`);
    const last = to?.seq ?? this.#pruned;
    if (this.#sawHead || head.seq <= this.#pruned) return null;
    if (head.seq < last)
      return broken(head.seq, `this row, which was there on ${head.at}, is missing, and others follow`);
    return broken(
      last,
      `the chain ends here, and on ${head.at} it went to row ${head.seq}: rows are missing from its end`,
    );
  }
}

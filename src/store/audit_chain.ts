import type Database from 'better-sqlite3';
import { auditColumns, CHAIN_BEGIN, hashOf, type StoredAudit } from './audit.ts';
import { checkpointsOf, isCheckpointGenuine, isOfBoxKey } from './audit_checkpoint.ts';
import type { AuditPlace } from './audit_head.ts';
import type { AuditKey } from './audit_key.ts';
import { type AuditWitness, checkWitness, notedPlaces } from './audit_seal.ts';
import { AUDIT_SECRET } from './audit_secret.ts';

/**
 * Fault of the chain, at the row or checkpoint `seq`; null if no single row is at fault. `kind` and `at` describe that
 * row. They are null without one, and if the fault is that rows are missing.
 */
export type Break = { seq: number | null; kind: string | null; at: string | null; why: string };
export type ChainReport = {
  rows: number;
  from: { seq: number; at: string } | null;
  to: { seq: number; at: string } | null;
  /**
   * First fault, in the order checkpoint, rows, end of the chain, recorded cut (`AUDIT_CUT`); null if the chain is
   * intact.
   */
  broken: Break | null;
  /** Sentences about what could not be checked, for example because a key is not available. */
  unchecked: string[];
};

export type Walking = {
  /**
   * Numbers and hashes of rows that were noted outside the database, for example in the journal. The chain must contain
   * these rows.
   */
  known?: readonly AuditPlace[];
  onProgress?: (rows: number) => void;
};

/**
 * Verifies the chain of audit rows. It begins at the first row, or at the signed checkpoint that replaces pruned rows.
 * `witness` shows, from outside the chain, how long the chain was. The check reads one snapshot of the database, even
 * while a daemon writes.
 */
export function verifyChain(
  db: Database.Database,
  key: AuditKey,
  witness: AuditWitness,
  walking: Walking = {},
): ChainReport {
  return db.transaction(() => new Walk(db, key, witness, walking).run())();
}

function unvouched({ seq, at }: { seq: number; at: string }): string {
  const since = `the secret key signs the audit log since row ${seq} of ${at}`;
  return `${since}; earlier rows are signed only with audit.key. If the box had its secret key before that row, rows were deleted`;
}

/** Fault of a chain without rows in a database that contains data. */
export const NO_ROWS = 'state.db has data, but its audit log has no rows that say who wrote the data';

/**
 * Kind of the row that the daemon writes if the notes of the chain's end contradict the chain, or rows of a recovery
 * are missing. Audit rows may then be missing or changed.
 */
export const AUDIT_CUT = 'audit.cut';

const progressRows = 10_000;

class Walk {
  readonly #db: Database.Database;
  readonly #key: AuditKey;
  readonly #witness: AuditWitness;
  readonly #onProgress: (rows: number) => void;
  readonly #report: ChainReport = { rows: 0, from: null, to: null, broken: null, unchecked: [] };
  #expected = CHAIN_BEGIN;
  #pruned = 0;
  readonly #places: readonly AuditPlace[];
  /** Numbers of those rows of `#places` that were found in the chain. */
  readonly #seen = new Set<number>();
  /** First row of the kind `AUDIT_CUT`. The chain stays broken there, although later rows continue it. */
  #cut: Break | null = null;

  constructor(db: Database.Database, key: AuditKey, witness: AuditWitness, { known = [], onProgress }: Walking) {
    this.#db = db;
    this.#key = key;
    this.#witness = witness;
    this.#places = [...notedPlaces(witness), ...known];
    this.#onProgress = onProgress ?? (() => {});
  }

  run(): ChainReport {
    this.#checkpoints();
    if (this.#report.broken === null) this.#rows();
    this.#report.broken ??= this.#end() ?? this.#cut;
    return this.#report;
  }

  #checkpoints(): void {
    for (const checkpoint of checkpointsOf(this.#db)) {
      const { seq, at } = checkpoint;
      const genuine = isCheckpointGenuine(checkpoint, this.#key);
      const named = { seq, kind: 'checkpoint', at };
      if (genuine === false) this.#report.broken = { ...named, why: 'the signature of the checkpoint is wrong' };
      if (this.#key.hasSecret && this.#witness.secret && isOfBoxKey(checkpoint))
        this.#report.broken = {
          ...named,
          why: 'the checkpoint is not signed with the secret key, although this key signed the audit log before',
        };
      if (genuine === null)
        this.#report.unchecked.push(
          `the checkpoint at row ${seq} was not checked: it is signed with the daemon's secret key, which is not available here`,
        );
      if (this.#report.broken !== null) return;
      this.#expected = checkpoint.hash;
      this.#pruned = seq;
    }
  }

  #rows(): void {
    const rows = this.#db.prepare<[], StoredAudit>(`SELECT ${auditColumns} FROM audit ORDER BY seq`).iterate();
    for (const row of rows) {
      const why = this.#fault(row) ?? this.#rewritten(row);
      const place = { seq: Number(row.seq), at: String(row.at) };
      if (why !== null) {
        this.#report.broken = { ...place, kind: String(row.kind), why };
        return;
      }
      if (row.kind === AUDIT_SECRET && row.severity === 'warning') this.#report.unchecked.push(unvouched(place));
      if (row.kind === AUDIT_CUT) this.#cut ??= { ...place, kind: AUDIT_CUT, why: String(row.text) };
      this.#expected = String(row.hash);
      this.#report.from ??= place;
      this.#report.to = place;
      this.#report.rows += 1;
      if (this.#report.rows % progressRows === 0) this.#onProgress(this.#report.rows);
    }
  }

  #fault(row: StoredAudit): string | null {
    if (Number(row.seq) <= this.#pruned) return 'it is older than the checkpoint at which the chain of rows begins';
    if (row.prev_hash !== this.#expected) {
      const before = this.#report.to?.seq ?? this.#pruned;
      const which = before === 0 ? 'the beginning of the chain' : `row ${before}`;
      return `it does not follow ${which}: a row between them is missing, or its own prev_hash was changed`;
    }
    return hashOf(row, this.#expected) === row.hash ? null : 'its hash does not match its fields';
  }

  #rewritten(row: StoredAudit): string | null {
    const noted = this.#places.filter(({ seq }) => seq === row.seq);
    for (const { seq } of noted) this.#seen.add(seq);
    const other = noted.find(({ hash }) => hash !== row.hash);
    return other ? `it had another hash on ${other.at}: the rows were rewritten since then` : null;
  }

  /** Returns the contradiction between the witnesses and the end of the chain; null without one. */
  #end(): Break | null {
    const broken = (seq: number | null, why: string): Break => ({ seq, kind: null, at: null, why });
    const witnesses = checkWitness(this.#witness, this.#key);
    this.#report.unchecked.push(...witnesses.unchecked);
    if (witnesses.why !== null) return broken(null, witnesses.why);
    if (this.#report.rows === 0 && this.#pruned === 0 && this.#witness.begun) return broken(null, NO_ROWS);
    const last = this.#report.to?.seq ?? this.#pruned;
    for (const { seq, at } of this.#places) {
      if (this.#seen.has(seq) || seq <= this.#pruned) continue;
      if (seq < last && seq > 0) return broken(seq, `this row is missing: it existed on ${at}, and later rows follow`);
      if (seq > last)
        return broken(last, `the audit log ends here, but on ${at} it reached row ${seq}: rows are missing at its end`);
    }
    return null;
  }
}

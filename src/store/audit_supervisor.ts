import { dirname } from 'node:path';
import { sentenceOf } from '../model/fault.ts';
import { formatTime } from '../model/time.ts';
import { AUDIT_CUT, NO_ROWS, verifyChain } from './audit_chain.ts';
import { pruneAudit } from './audit_checkpoint.ts';
import type { AuditPlace } from './audit_head.ts';
import type { AuditKey } from './audit_key.ts';
import { type AuditWitness, checkWitness, isUnsealed, isVouchedFor, notedPlaces, readWitness } from './audit_seal.ts';
import { noteHead, sealAudit } from './audit_sealing.ts';
import { hasSecretTrace, noteSecretKey } from './audit_secret.ts';
import { type Ledger, systemDeed } from './ledger.ts';
import { schemaFault } from './schema_fault.ts';
import type { State } from './state.ts';

const DAY_MS = 86_400_000;
const HEAD_EVERY_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Kind of the audit row about a schema that differs from that of the migrations. */
const AUDIT_SCHEMA = 'audit.schema';

export type AuditSupervisorDeps = {
  state: State;
  ledger: Ledger;
  key: AuditKey;
  days: number;
  /**
   * Returns the UTC time, ms, before which rows are older than `days`. Returns null while the clock is not trusted, so
   * nothing may be deleted.
   */
  cutoffMs(days: number): number | null;
  /** Called with a sentence about each failure of the maintenance. */
  onTrouble(sentence: string): void;
  /**
   * Called with the head at the start, every hour and at the stop. A copy of the head outside the box shows later
   * whether an older state was restored.
   */
  onHead?(head: AuditPlace): void;
  /** Called with each fault of the audit log that a person must examine. */
  onAlarm(sentence: string, severity: 'critical' | 'warning'): void;
};

/** Maintains the audit log: notes the end of its chain, checks this note at the start, and prunes old rows. */
export class AuditSupervisor {
  readonly #deps: AuditSupervisorDeps;
  readonly #dataDir: string;
  #timers: NodeJS.Timeout[] = [];
  #unlisten: () => void = () => {};
  #noted = -1;
  #head: AuditPlace | null = null;
  /**
   * True if the earlier rows need no alarm when the secret key begins to sign. At this start, the log was empty, was
   * signed with the secret key, or has already caused an alarm.
   */
  #vouched = false;
  /** Latest fault found in the schema of `state.db`; null without one. */
  #schemaFault: string | null = null;

  constructor(deps: AuditSupervisorDeps) {
    this.#deps = deps;
    this.#dataDir = dirname(deps.state.path);
  }

  start(): void {
    this.#guarded('compared with its witnesses', () => this.#checkWitnesses());
    this.#guarded('checked', () => this.#checkSchema());
    this.#guarded('sealed', () => this.#seal());
    this.#guarded('marked with its secret key', () => this.#noteSecretKey());
    // Pruning must follow the seal: once a checkpoint is signed with the secret key, a seal of the older key would
    // count as forged.
    this.#guarded('pruned', () => this.prune());
    this.#publishHead();
    // The first row of a box is sealed at once, because the first seal covers no rows.
    this.#unlisten = this.#deps.ledger.onRow(() => {
      if (this.#noted <= 0) this.#guarded('sealed', () => this.#seal());
    });
    this.#timers = [
      setInterval(() => this.#guarded('given a new head', () => this.note()), HEAD_EVERY_MS),
      setInterval(() => this.#hourly(), HOUR_MS),
    ];
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#unlisten();
    this.#guarded('given a new head', () => this.note());
    this.#publishHead();
  }

  #hourly(): void {
    this.#guarded('checked', () => this.#checkSchema());
    this.#guarded('pruned', () => this.prune());
    this.#publishHead();
  }

  /** Writes the notes of the chain's end if the end has changed. */
  note(): void {
    const head = this.#deps.ledger.audit.head();
    if (head !== null && head.seq !== this.#noted) this.#take(noteHead(this.#deps));
  }

  #seal(): void {
    this.#take(sealAudit(this.#deps));
  }

  #take(head: AuditPlace): void {
    this.#noted = head.seq;
    this.#head = head;
  }

  #publishHead(): void {
    if (this.#head !== null && this.#head.seq > 0) this.#deps.onHead?.(this.#head);
  }

  /**
   * Deletes rows that are older than `days`, once the oldest row is one day older than that. This delay limits the rows
   * that pruning writes about itself. While any hold exists nothing is deleted, because held documents may need their
   * audit rows.
   */
  prune(): void {
    const { state, ledger, key, days } = this.#deps;
    if (state.db.prepare('SELECT 1 FROM holds LIMIT 1').get() !== undefined) return;
    const cutoffMs = this.#deps.cutoffMs(days);
    if (cutoffMs === null) return;
    const before = formatTime(cutoffMs);
    const oldest = state.db.prepare<[], string>('SELECT at FROM audit ORDER BY seq LIMIT 1').pluck().get();
    if (oldest === undefined || oldest >= formatTime(Math.max(0, cutoffMs - DAY_MS))) return;
    ledger.change('The pruning of the audit log', () => {
      const rows = pruneAudit(state, before, ledger.nowText(), key);
      const text = `${rows} audit rows from before ${before} were pruned, up to a signed checkpoint`;
      return { result: undefined, deed: rows === 0 ? null : systemDeed('audit.pruned', 'notice', text) };
    });
  }

  /**
   * Compares the chain with its witnesses: seal, head and marker. Raises an alarm about a difference, and records it as
   * a new row of the chain. Without such a row, the next stored head would hide the difference.
   */
  #checkWitnesses(): void {
    const { state, ledger, onAlarm } = this.#deps;
    const witness = readWitness(state.db, this.#dataDir);
    const unsealed = isUnsealed(witness);
    const why = unsealed ? this.#whyBroken(witness) : this.#whyCut(witness);
    this.#vouched = why !== null || isVouchedFor(witness);
    if (why === null && unsealed && witness.begun) this.#noteFirstSeal();
    if (why === null) return;
    const text = `the audit log ends at row ${ledger.audit.lastSeq()}, but ${why}: rows may be missing or changed`;
    onAlarm(text, 'critical');
    ledger.note(systemDeed(AUDIT_CUT, 'critical', text));
  }

  /**
   * Raises an alarm if the schema differs from that of the migrations, because foreign triggers or views could change
   * written rows. A fault that stays the same raises no second alarm.
   */
  #checkSchema(): void {
    const { state, ledger, onAlarm } = this.#deps;
    const fault = schemaFault(state.db);
    if (fault === this.#schemaFault) return;
    this.#schemaFault = fault;
    if (fault === null) return;
    // The alarm is raised first, because a foreign trigger could suppress the row.
    onAlarm(fault, 'critical');
    ledger.note(systemDeed(AUDIT_SCHEMA, 'critical', fault));
  }

  /**
   * Returns why the chain of an earlier version's database is broken; null if it is intact, or if a row of the kind
   * `AUDIT_CUT` already records the fault.
   */
  #whyBroken(witness: AuditWitness): string | null {
    const { broken } = verifyChain(this.#deps.state.db, this.#deps.key, witness);
    // An earlier start has already recorded the missing rows.
    if (broken === null || broken.kind === AUDIT_CUT) return null;
    return broken.seq === null ? broken.why : `row ${broken.seq} is faulty: ${broken.why}`;
  }

  /** Records the first seal. A second row of this kind in a box's log shows that seal and marker were deleted. */
  #noteFirstSeal(): void {
    const text = `the audit log was sealed for the first time, at row ${this.#deps.ledger.audit.lastSeq()}`;
    this.#deps.ledger.note(systemDeed('audit.sealed', 'notice', text));
  }

  /**
   * Records that the secret key signs, and seals this row. Call it after the first seal with the secret key. Otherwise,
   * after a power failure between row and seal, the older seal would look forged.
   */
  #noteSecretKey(): void {
    const { state, key, onAlarm } = this.#deps;
    if (!key.hasSecret || hasSecretTrace(state.db)) return;
    const doubt = noteSecretKey(this.#deps, this.#vouched);
    this.#seal();
    if (doubt !== null) onAlarm(doubt, 'warning');
  }

  #whyCut(witness: AuditWitness): string | null {
    const { state, ledger, key } = this.#deps;
    const why = checkWitness(witness, key).why ?? (ledger.audit.head() === null && witness.begun ? NO_ROWS : null);
    if (why !== null) return why;
    const hashAt = state.db.prepare<[number], string>('SELECT hash FROM audit WHERE seq = ?').pluck();
    const pruned = state.db.prepare<[], number | null>('SELECT max(seq) FROM audit_checkpoints').pluck().get() ?? 0;
    for (const { seq, hash: noted, at } of notedPlaces(witness)) {
      if (seq > ledger.audit.lastSeq()) return `it reached row ${seq} on ${at}`;
      const hash = hashAt.get(seq);
      if (hash === noted || seq <= pruned) continue;
      return hash === undefined ? `its row ${seq} of ${at} is missing` : `its row ${seq} had another hash on ${at}`;
    }
    return null;
  }

  /** Runs a step. If it fails, reports that the audit log could not be `done`. */
  #guarded(done: string, work: () => void): void {
    try {
      work();
    } catch (thrown) {
      this.#deps.onTrouble(`the audit log could not be ${done}: ${sentenceOf(thrown)}`);
    }
  }
}

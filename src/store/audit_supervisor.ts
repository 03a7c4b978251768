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

/** The kind of the row about objects of state.db that the migrations did not make. */
const AUDIT_SCHEMA = 'audit.schema';

export type AuditSupervisorDeps = {
  state: State;
  ledger: Ledger;
  key: AuditKey;
  days: number;
  /** UTC before which rows older than `days` are deleted; null while the clock is not trusted for this. */
  cutoffMs(days: number): number | null;
  /** Receives a failure, as a sentence. */
  onTrouble(sentence: string): void;
  /** Receives the head at the start, each hour and at the stop: a copy away from the box finds an older state put back. */
  onHead?(head: AuditPlace): void;
  /** Receives a fault of the audit log that a person has to examine. */
  onAlarm(sentence: string, severity: 'critical' | 'warning'): void;
};

/** Maintains the audit log: notes the end of its chain, checks it, and prunes old rows. */
export class AuditSupervisor {
  readonly #deps: AuditSupervisorDeps;
  readonly #dataDir: string;
  #timers: NodeJS.Timeout[] = [];
  #unlisten: () => void = () => {};
  #noted = -1;
  #head: AuditPlace | null = null;
  /** True where the secret key signed the log that this start found, or the start has already raised that it is not whole. */
  #vouched = false;
  /** Latest finding about the schema of state.db. */
  #schemaFault: string | null = null;

  constructor(deps: AuditSupervisorDeps) {
    this.#deps = deps;
    this.#dataDir = dirname(deps.state.path);
  }

  start(): void {
    this.#guarded(() => this.#checkWitnesses());
    this.#guarded(() => this.#checkSchema());
    this.#guarded(() => this.#seal());
    this.#guarded(() => this.#noteSecretKey());
    // After the seal: a checkpoint of the secret key makes a seal of the older key count as forged.
    this.#guarded(() => this.prune());
    this.#publishHead();
    // The first row of a box is sealed at once: the first seal vouches for none.
    this.#unlisten = this.#deps.ledger.onRow(() => {
      if (this.#noted <= 0) this.#guarded(() => this.#seal());
    });
    this.#timers = [
      setInterval(() => this.#guarded(() => this.note()), HEAD_EVERY_MS),
      setInterval(() => this.#hourly(), HOUR_MS),
    ];
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#unlisten();
    this.#guarded(() => this.note());
    this.#publishHead();
  }

  #hourly(): void {
    this.#guarded(() => this.#checkSchema());
    this.#guarded(() => this.prune());
    this.#publishHead();
  }

  /** Notes the end of the chain where it has moved. */
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
   * Deletes old rows, one day at a time, so that the pruning itself fills no log. A held document may need its log, so
   * nothing is deleted while there is any hold.
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
   * Records in the chain itself, permanently, that the chain differs from the noted head; the next head would hide the
   * difference.
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

  /** A foreign trigger or view in the file changes written rows. Each such finding is raised once. */
  #checkSchema(): void {
    const { state, ledger, onAlarm } = this.#deps;
    const fault = schemaFault(state.db);
    if (fault === this.#schemaFault) return;
    this.#schemaFault = fault;
    if (fault === null) return;
    // First: the trigger may keep this row out too.
    onAlarm(fault, 'critical');
    ledger.note(systemDeed(AUDIT_SCHEMA, 'critical', fault));
  }

  /** A database of an earlier version is sealed once its whole chain was walked. */
  #whyBroken(witness: AuditWitness): string | null {
    const { broken } = verifyChain(this.#deps.state.db, this.#deps.key, witness);
    // A cut that an earlier start recorded is recorded.
    if (broken === null || broken.kind === AUDIT_CUT) return null;
    return broken.seq === null ? broken.why : `of row ${broken.seq} it is found: ${broken.why}`;
  }

  /** A second such row in the log of a box shows that its seal was removed together with the marker. */
  #noteFirstSeal(): void {
    const text = `the audit log was sealed for the first time, at row ${this.#deps.ledger.audit.lastSeq()}`;
    this.#deps.ledger.note(systemDeed('audit.sealed', 'notice', text));
  }

  /**
   * After the first seal of the secret key: this row before the seal would take the older seal for a forged one, if the
   * power went in between.
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
      if (seq > ledger.audit.lastSeq()) return `it went to ${seq} on ${at}`;
      const hash = hashAt.get(seq);
      if (hash === noted || seq <= pruned) continue;
      return hash === undefined ? `its row ${seq} of ${at} is missing` : `its row ${seq} had another hash on ${at}`;
    }
    return null;
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      this.#deps.onTrouble(`the audit log was not maintained: ${sentenceOf(thrown)}`);
    }
  }
}

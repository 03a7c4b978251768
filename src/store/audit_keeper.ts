import { dirname } from 'node:path';
import { systemActor } from '../model/actor.ts';
import { sentenceOf } from '../model/fault.ts';
import { formatTime } from '../model/time.ts';
import { CHAIN_BEGIN } from './audit.ts';
import { AUDIT_CUT, verifyChain } from './audit_chain.ts';
import { pruneAudit, signCheckpointsAgain } from './audit_checkpoint.ts';
import { writeHead } from './audit_head.ts';
import type { AuditKey } from './audit_key.ts';
import { type AuditWitness, checkWitness, isUnsealed, readSeal, readWitness, writeSeal } from './audit_seal.ts';
import { AUDIT_SECRET, hasSecretTrace } from './audit_secret.ts';
import type { Ledger } from './ledger.ts';
import { isMarked, writeMarker } from './marker.ts';
import type { State } from './state.ts';

const DAY_MS = 86_400_000;
const HEAD_EVERY_MS = 60_000;
const PRUNE_EVERY_MS = 3_600_000;

export type AuditKeeperParts = {
  state: State;
  ledger: Ledger;
  key: AuditKey;
  days: number;
  /** UTC before which rows of so many days are old; null while the clock is not trusted to say so. */
  cutoffMs(days: number): number | null;
  /** Receives what could not be done, as a sentence. */
  onTrouble(sentence: string): void;
  /** Receives what is wrong with the audit log: somebody has to look at it. */
  onAlarm(sentence: string): void;
};

/** Keeps house for the audit log: notes where its chain has come to, and prunes what is older than it is to be kept. */
export class AuditKeeper {
  readonly #parts: AuditKeeperParts;
  readonly #dataDir: string;
  #timers: NodeJS.Timeout[] = [];
  #unlisten: () => void = () => {};
  #noted = -1;

  constructor(parts: AuditKeeperParts) {
    this.#parts = parts;
    this.#dataDir = dirname(parts.state.path);
  }

  start(): void {
    this.#guarded(() => this.#checkWitnesses());
    this.#guarded(() => this.#seal());
    this.#guarded(() => this.#noteSecretKey());
    // After the seal: a checkpoint of the secret key makes a seal of the older key count as forged.
    this.#guarded(() => this.prune());
    // The first row of a box is noted at once: until then a chain that was cut to nothing looks like one not yet begun.
    this.#unlisten = this.#parts.ledger.onRow(() => {
      if (this.#noted <= 0) this.#guarded(() => this.#seal());
    });
    this.#timers = [
      setInterval(() => this.#guarded(() => this.note()), HEAD_EVERY_MS),
      setInterval(() => this.#guarded(() => this.prune()), PRUNE_EVERY_MS),
    ];
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#unlisten();
    this.#guarded(() => this.note());
  }

  /** Writes down where the chain has come to, where that is news. */
  note(): void {
    const head = this.#parts.ledger.audit.head();
    if (head !== null && head.seq !== this.#noted) this.#noteHead();
  }

  #noteHead(): { seq: number; hash: string; at: string } {
    const { ledger, key } = this.#parts;
    const head = { ...(ledger.audit.head() ?? { seq: 0, hash: CHAIN_BEGIN }), at: ledger.nowText() };
    // What vouches for the chain must not outlive it: rows that a power cut took would look like rows that somebody took.
    ledger.sync();
    writeHead(this.#dataDir, head, key);
    this.#noted = head.seq;
    return head;
  }

  /**
   * Head, seal, marker, each on the disk before the next: a start that was interrupted in between raises no alarm. A seal
   * vouches for rows only once the marker is there, so that a marker which is missing beside such a seal was removed.
   */
  #seal(): void {
    const { state, key } = this.#parts;
    const head = this.#noteHead();
    const write = (place: typeof head): void =>
      state.write("The audit log's seal", () => writeSeal(state.db, place, key));
    if (!isMarked(this.#dataDir)) {
      if (readSeal(state.db) === null) write({ seq: 0, hash: CHAIN_BEGIN, at: head.at });
      writeMarker(this.#dataDir, head.at);
    }
    write(head);
  }

  /**
   * A day's worth at a time, so that the pruning itself fills no log. What is under hold may need its log: while there is
   * any hold, nothing is pruned.
   */
  prune(): void {
    const { state, ledger, key, days } = this.#parts;
    if (state.db.prepare('SELECT 1 FROM holds LIMIT 1').get() !== undefined) return;
    const cutoffMs = this.#parts.cutoffMs(days);
    if (cutoffMs === null) return;
    const before = formatTime(cutoffMs);
    const oldest = state.db.prepare<[], string>('SELECT at FROM audit ORDER BY seq LIMIT 1').pluck().get();
    if (oldest === undefined || oldest >= formatTime(Math.max(0, cutoffMs - DAY_MS))) return;
    ledger.change('The pruning of the audit log', () => {
      const rows = pruneAudit(state, before, ledger.nowText(), key);
      const text = `${rows} audit rows from before ${before} were pruned, up to a signed checkpoint`;
      const told = { kind: 'audit.pruned', severity: 'notice', text, by: systemActor, workspaceId: null } as const;
      return { result: undefined, deed: rows === 0 ? null : told };
    });
  }

  /** Records in the chain itself, for good, that it is not what was noted; the next head would hide it. */
  #checkWitnesses(): void {
    const { state, ledger, onAlarm } = this.#parts;
    const witness = readWitness(state.db, this.#dataDir);
    const unsealed = isUnsealed(witness);
    const why = unsealed ? this.#whyBroken(witness) : this.#whyCut(witness);
    if (why === null && unsealed && ledger.audit.head() !== null) this.#noteFirstSeal();
    if (why === null) return;
    const text = `the audit log ends at row ${ledger.audit.lastSeq()}, but ${why}: rows may be missing or changed`;
    const deed = { kind: AUDIT_CUT, severity: 'critical', text, by: systemActor, workspaceId: null } as const;
    onAlarm(text);
    ledger.note(deed);
  }

  /** A database of an earlier version is sealed once its whole chain was walked. */
  #whyBroken(witness: AuditWitness): string | null {
    const { broken } = verifyChain(this.#parts.state.db, this.#parts.key, witness);
    // A cut that an earlier start recorded is recorded.
    if (broken === null || broken.kind === AUDIT_CUT) return null;
    return broken.seq === null ? broken.why : `of row ${broken.seq} it is found: ${broken.why}`;
  }

  /** A second such row in the log of a box shows that its seal was removed together with the marker. */
  #noteFirstSeal(): void {
    const text = `the audit log was sealed for the first time, at row ${this.#parts.ledger.audit.lastSeq()}`;
    const deed = { kind: 'audit.sealed', severity: 'notice', text, by: systemActor, workspaceId: null } as const;
    this.#parts.ledger.note(deed);
  }

  /**
   * Once per box, after the first seal of the secret key: this row before the seal would take the older seal for a forged
   * one, if the power went in between.
   */
  #noteSecretKey(): void {
    const { state, ledger, key } = this.#parts;
    if (!key.hasSecret || hasSecretTrace(state.db)) return;
    const before = ledger.audit.lastSeq();
    const since = before === 0 ? 'from its first row on' : `after row ${before}, and was not before`;
    const text = `the audit log is signed with the secret key ${since}`;
    const severity = before === 0 ? 'notice' : 'warning';
    ledger.change('The first signature of the secret key', () => {
      signCheckpointsAgain(state.db, key);
      return { result: undefined, deed: { kind: AUDIT_SECRET, severity, text, by: systemActor, workspaceId: null } };
    });
    this.#seal();
  }

  #whyCut(witness: AuditWitness): string | null {
    const { state, ledger, key } = this.#parts;
    const { why } = checkWitness(witness, key);
    const { head } = witness;
    if (why !== null || head === null || head === 'unreadable') return why;
    if (head.seq > ledger.audit.lastSeq()) return `it went to ${head.seq} on ${head.at}`;
    const hash = state.db.prepare<[number], string>('SELECT hash FROM audit WHERE seq = ?').pluck().get(head.seq);
    const pruned = state.db.prepare<[], number | null>('SELECT max(seq) FROM audit_checkpoints').pluck().get() ?? 0;
    if (hash === head.hash || head.seq <= pruned) return null;
    return hash === undefined
      ? `its row ${head.seq} of ${head.at} is missing`
      : `its row ${head.seq} had another hash on ${head.at}`;
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      this.#parts.onTrouble(`the audit log was not kept house for: ${sentenceOf(thrown)}`);
    }
  }
}

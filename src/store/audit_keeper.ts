import { dirname } from 'node:path';
import { systemActor } from '../model/actor.ts';
import { sentenceOf } from '../model/fault.ts';
import { formatTime } from '../model/time.ts';
import { pruneAudit } from './audit_checkpoint.ts';
import { readHead, writeHead } from './audit_head.ts';
import type { AuditKey } from './audit_key.ts';
import type { Ledger } from './ledger.ts';
import type { State } from './state.ts';

const DAY_MS = 86_400_000;
const HEAD_EVERY_MS = 60_000;
const PRUNE_EVERY_MS = 3_600_000;

export type AuditKeeperParts = {
  state: State;
  ledger: Ledger;
  key: AuditKey;
  days: number;
  utcMs(): number;
  /** Told of what could not be done, as a sentence. */
  onTrouble(sentence: string): void;
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
    this.#tellOfCut();
    this.#guarded(() => this.prune());
    this.#guarded(() => this.note());
    // The first row of a box is noted at once: until then a chain that was cut to nothing looks like one not yet begun.
    this.#unlisten = this.#parts.ledger.onRow(() => {
      if (this.#noted < 0) this.#guarded(() => this.note());
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
    const { ledger, key, utcMs } = this.#parts;
    const head = ledger.audit.head();
    if (head === null || head.seq === this.#noted) return;
    // What vouches for the chain must not outlive it: rows that a power cut took would look like rows that somebody took.
    ledger.sync();
    writeHead(this.#dataDir, { ...head, at: formatTime(utcMs()) }, key);
    this.#noted = head.seq;
  }

  /**
   * A day's worth at a time, so that the pruning itself fills no log. What is under hold may need its log: while there is
   * any hold, nothing is pruned.
   */
  prune(): void {
    const { state, ledger, key, days, utcMs } = this.#parts;
    if (state.db.prepare('SELECT 1 FROM holds LIMIT 1').get() !== undefined) return;
    const before = formatTime(Math.max(0, utcMs() - days * DAY_MS));
    const oldest = state.db.prepare<[], string>('SELECT at FROM audit ORDER BY seq LIMIT 1').pluck().get();
    if (oldest === undefined || oldest >= formatTime(Math.max(0, utcMs() - (days + 1) * DAY_MS))) return;
    ledger.change('The pruning of the audit log', () => {
      const rows = pruneAudit(state, before, ledger.nowText(), key);
      const text = `${rows} audit rows from before ${before} were pruned, up to a signed checkpoint`;
      const told = { kind: 'audit.pruned', severity: 'notice', text, by: systemActor, workspaceId: null } as const;
      return { result: undefined, deed: rows === 0 ? null : told };
    });
  }

  /** Rows that were noted and are gone were taken away while nobody watched: the chain itself is to tell of it. */
  #tellOfCut(): void {
    const head = readHead(this.#dataDir);
    const last = this.#parts.ledger.audit.lastSeq();
    if (head === null || (head !== 'unreadable' && head.seq <= last)) return;
    const what = head === 'unreadable' ? 'the note of where it had come to does not read' : `it went to ${head.seq}`;
    const text = `the audit log ends at row ${last}, but ${what}: rows may be missing from its end`;
    const deed = { kind: 'audit.cut', severity: 'critical', text, by: systemActor, workspaceId: null } as const;
    this.#guarded(() => this.#parts.ledger.note(deed));
    this.#parts.onTrouble(text);
  }

  #guarded(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      this.#parts.onTrouble(`the audit log was not kept house for: ${sentenceOf(thrown)}`);
    }
  }
}

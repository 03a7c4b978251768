import { randomUUID } from 'node:crypto';
import type { Actor } from '../model/actor.ts';
import type { LogEvent, Severity } from '../model/event.ts';
import { formatTime } from '../model/time.ts';
import { type AuditEntry, type AuditRow, AuditRows } from './audit.ts';
import { deedValue } from './deed_size.ts';
import type { LogCounter } from './log_counter.ts';
import type { State } from './state.ts';

/** What somebody did, as the log tells it. `before` and `after` are what changed, secrets left out. */
export type Deed = {
  kind: string;
  text: string;
  by: Actor;
  workspaceId: string | null;
  severity?: Severity;
  subject?: LogEvent['subject'];
  before?: unknown;
  after?: unknown;
  reason?: string | null;
  correlationId?: string | null;
  policyVersion?: number | null;
  /** Provenance of the subject where it is of another world than the ledger. */
  provenance?: LogEvent['provenance'];
};

/** What a change does, its result and the row that tells of it. */
type Work<T> = () => { result: T; deed: Deed | null };

/**
 * The way every change goes that somebody answers for: what it writes and the row that tells of it are one transaction,
 * so that nothing is done unseen and nothing is told that was not done. An answered change is on the disk.
 */
export class Ledger {
  readonly #state: State;
  readonly #rows: AuditRows;
  readonly #counter: LogCounter;
  readonly #utcMs: () => number;
  readonly #provenance: LogEvent['provenance'];
  readonly #listeners = new Set<(row: AuditRow) => void>();
  #depth = 0;
  /** The last row that the listeners were told of, whoever wrote it. */
  #toldSeq: number;

  /** `provenance` is of the world whose deeds it writes down. */
  constructor(state: State, counter: LogCounter, utcMs: () => number, provenance: LogEvent['provenance'] = 'live') {
    this.#provenance = provenance;
    this.#state = state;
    this.#rows = new AuditRows(state);
    this.#toldSeq = this.#rows.lastSeq();
    this.#counter = counter;
    this.#utcMs = utcMs;
  }

  nowText(): string {
    return formatTime(this.#utcMs());
  }

  /**
   * Runs `work` and writes the deed it returns beside its result: all of it or nothing. `what` begins the sentence of a
   * failure of the disk, for example `The asset North mast`. A change within a change is part of it.
   */
  change<T>(what: string, work: Work<T>): T {
    const result = this.changeUntold(what, work);
    if (this.#depth === 0) this.tellNew();
    return result;
  }

  /** The same, told with the next change or `tellNew`: for what has to be on the disk at once, and whose telling can wait a moment. */
  changeUntold<T>(what: string, work: Work<T>): T {
    return this.#within(what, work, (...given) => this.#state.write(...given));
  }

  /** The same for what is done at once: it survives kill -9 when this returns, and is to be answered for after `sync` alone. */
  changeUnsynced<T>(what: string, work: Work<T>): T {
    return this.#within(what, work, (...given) => this.#state.writeUnsynced(...given));
  }

  /** Runs `work`, whose changes succeed on a full disk too while its reserve lasts. */
  vital<T>(work: () => T): T {
    return this.#state.vital(work);
  }

  /** What was changed unsynced survives a power cut when this returns. Throws a Fault `unavailable` where the disk refuses. */
  sync(): void {
    this.#state.sync();
  }

  /** Writes down what changed nothing by itself: a refusal, a sign-in. */
  note(deed: Deed): void {
    this.change('The audit log', () => ({ result: undefined, deed }));
  }

  /** Appends a row that was written elsewhere, with its own id and time; call within the work of a change. */
  takeIn(row: Omit<AuditEntry, 'seq'>): void {
    this.#rows.append({ ...row, seq: this.#counter.nextAbove(this.#rows.lastSeq()) });
  }

  /** Told of each row once it is written; of what was changed unsynced it may be told before the disk is synced. */
  onRow(listener: (row: AuditRow) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells of the rows that nobody was told of yet; those of another process among them, in the order of the chain. */
  tellNew(): void {
    const lastSeq = this.#rows.lastSeq();
    if (lastSeq <= this.#toldSeq) return;
    const fromSeq = this.#toldSeq;
    // Before anything is read: a row that does not read, or a listener that fails, must not be met again at each change.
    this.#toldSeq = lastSeq;
    if (this.#listeners.size === 0) return;
    for (const row of this.#rows.since(fromSeq)) for (const listener of this.#listeners) listener(row);
  }

  get audit(): AuditRows {
    return this.#rows;
  }

  #within<T>(what: string, work: Work<T>, write: (what: string, work: () => T) => T): T {
    let tries = 0;
    const whole = (): T => {
      // What a try set aside that the full disk refused is not set aside.
      if (tries++ > 0) this.#counter.forget();
      const { result, deed } = work();
      if (deed) this.#rows.append(this.#entryOf(deed));
      return result;
    };
    if (this.#depth > 0) return whole();
    this.#depth++;
    try {
      return write(what, whole);
    } catch (thrown) {
      // What was set aside in a transaction that came to nothing is not set aside.
      this.#counter.forget();
      throw thrown;
    } finally {
      this.#depth--;
    }
  }

  #entryOf(deed: Deed): AuditEntry {
    return {
      id: randomUUID(),
      // Another process may have written rows: the chain goes on from the last one that is there.
      seq: this.#counter.nextAbove(this.#rows.lastSeq()),
      at: this.nowText(),
      workspace_id: deed.workspaceId,
      kind: deed.kind,
      severity: deed.severity ?? 'info',
      actor: deed.by,
      subject: deed.subject ?? null,
      text: deed.text,
      before: deedValue(deed.before),
      after: deedValue(deed.after),
      reason: deed.reason ?? null,
      correlation_id: deed.correlationId ?? null,
      policy_version: deed.policyVersion ?? null,
      provenance: deed.provenance ?? this.#provenance,
    };
  }
}

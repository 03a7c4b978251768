import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { LogEvent } from '../../model/event.ts';
import { Fault, unavailable } from '../../model/fault.ts';
import { Asker } from './asker.ts';
import type { Dropped } from './dropped.ts';
import type { HeldSpan } from './held.ts';
import type { FromThread } from './messages.ts';
import type { Kind } from './packed.ts';
import type { Question } from './queries.ts';
import { createReader, type HistoryReader } from './reader.ts';
import type { HistoryLimits, Pruned } from './retention.ts';
import { type HistoryRows, packRow } from './rows.ts';
import type { RawPage } from './selecting.ts';
import { Sender } from './sender.ts';
import { ThreadSupervisor } from './thread_supervisor.ts';

export type HistoryOptions = {
  readonly dataDir: string;
  /** Folder name below `dataDir`; default `history`. */
  readonly folder?: string;
  readonly retention: HistoryLimits;
  /** Provenance of the history's world; default `live`. */
  readonly provenance?: LogEvent['provenance'];
  /** Spans that retention must not delete; default none. */
  readonly held?: readonly HeldSpan[];
  /**
   * Called with faults that a person should know: a damaged file, a day deleted because the disk is full, a writer that
   * died, other trouble of the disk. A row that no table accepts is reported at most once a minute.
   */
  readonly onFault: (fault: Fault) => void;
  /** Called after each pruning. */
  readonly onPruned?: (pruned: Pruned) => void;
  /** Limit of the rows that wait for the writer; default 20 000. */
  readonly queueRows?: number;
  /** Script of the writer's thread; only tests set it. */
  readonly thread?: URL;
};

export type HistoryStatus = {
  readonly state: 'ok' | 'degraded';
  /** Sentence about the current fault; null without a fault. */
  readonly text: string | null;
  /** Number of rows that are not committed yet. */
  readonly queued: number;
  /** Number of rows committed since the start. */
  readonly written: number;
  /** Number of rows dropped since the start; `droppedByKind` splits it by kind. */
  readonly dropped: number;
  readonly droppedByKind: Readonly<Dropped>;
  /** Number of stored rows that could not be parsed, and were therefore left out of pages since the start. */
  readonly unreadable: number;
  /** UTC time of the last commit, ms; null before the first commit. */
  readonly lastCommitMs: number | null;
  /** Size of the history folder at the last measurement, bytes. It is measured at least once a minute. */
  readonly bytes: number;
  /** Size of the days with data under hold, without today, bytes; included in `bytes`. */
  readonly heldBytes: number;
  /** Sentence about holds that make the history exceed its limits; null if there are none. */
  readonly note: string | null;
};

/** History of a workspace: day files under `<dataDir>/<folder>`, written and read by a separate thread. */
export type HistoryLog = HistoryReader & {
  /** True if the history stores no rows; the caller then need not build rows. */
  readonly forgets?: true;
  start(): Promise<void>;
  /** Commits the appended rows within 5 s. Rows that could not be written count as dropped. */
  stop(): Promise<void>;
  /** Queues a copy of the row. Never blocks and never throws; a row that cannot be queued counts as dropped. */
  append<K extends Kind>(kind: K, row: HistoryRows[K]): void;
  /** Sets limits and holds, and applies both at once. */
  keep(retention: HistoryLimits, held: readonly HeldSpan[]): void;
  status(): HistoryStatus;
};

export function createHistoryLog(options: HistoryOptions): HistoryLog {
  const writer = new Writer(options);
  const reader = createReader(
    (question) => writer.ask(question),
    (rows) => writer.countUnreadable(rows),
    options.provenance,
  );
  return Object.assign(writer, reader);
}

class Writer {
  readonly #onFault: (fault: Fault) => void;
  readonly #onPruned: (pruned: Pruned) => void;
  readonly #supervisor: ThreadSupervisor;
  readonly #sender: Sender;
  readonly #asker = new Asker();
  /** Reason why no thread runs at the moment; null while a thread runs. */
  #down: string | null = 'The history is not running.';
  /** Trouble in the thread's last `condition` message, such as a disk that refuses writes; null without one. */
  #trouble: string | null = null;
  #bytes = 0;
  #heldBytes = 0;
  #note: string | null = null;
  #lastCommitMs: number | null = null;
  #unreadable = 0;

  constructor({ dataDir, folder, retention, held = [], onFault, onPruned, queueRows, thread }: HistoryOptions) {
    const data = { folder: join(resolve(dataDir), folder ?? 'history'), session: randomUUID(), retention, held };
    this.#onFault = onFault;
    this.#onPruned = onPruned ?? (() => {});
    this.#sender = new Sender(queueRows ?? 20_000, (message) => this.#supervisor.post(message));
    this.#supervisor = new ThreadSupervisor(thread ?? new URL('./thread.js', import.meta.url), data, {
      onUp: () => this.#threadUp(),
      onDown: (why, retryMs) => this.#threadDown(why, retryMs),
      onMessage: (message) => this.#receive(message),
    });
  }

  start(): Promise<void> {
    return this.#supervisor.start();
  }

  async stop(): Promise<void> {
    this.#sender.flush(Number.POSITIVE_INFINITY);
    await this.#supervisor.stop();
    this.#sender.end();
    this.#asker.failAll('The history has stopped.');
    this.#down = 'The history has stopped.';
  }

  append<K extends Kind>(kind: K, row: HistoryRows[K]): void {
    try {
      this.#sender.push(packRow(kind, row));
    } catch {
      this.#sender.outbox.dropped[kind] += 1;
    }
  }

  async ask(question: Question): Promise<RawPage> {
    if (!this.#supervisor.up) throw unavailable(this.#down ?? 'The history is not running.');
    // While the disk refuses writes, rows wait here. Answers then contain only rows that are on the disk.
    if (this.#trouble === null) this.#sender.flush();
    return this.#asker.ask((id) => this.#supervisor.post({ type: 'ask', id, question }));
  }

  keep(retention: HistoryLimits, held: readonly HeldSpan[]): void {
    this.#supervisor.keep(retention, held);
  }

  countUnreadable(rows: number): void {
    this.#unreadable += rows;
  }

  status(): HistoryStatus {
    const { length: queued, written, dropped: droppedByKind } = this.#sender.outbox;
    const text = this.#down ?? this.#trouble;
    return {
      state: text === null ? 'ok' : 'degraded',
      text,
      queued,
      written,
      dropped: Object.values(droppedByKind).reduce((sum, rows) => sum + rows, 0),
      droppedByKind: { ...droppedByKind },
      unreadable: this.#unreadable,
      lastCommitMs: this.#lastCommitMs,
      bytes: this.#bytes,
      heldBytes: this.#heldBytes,
      note: this.#note,
    };
  }

  #threadUp(): void {
    this.#down = null;
    this.#sender.threadUp();
  }

  #threadDown(why: string, retryMs: number): void {
    const next = retryMs === 0 ? 'at once' : `in ${Math.ceil(retryMs / 1_000)} s`;
    this.#down = `The history writer ended unexpectedly (${why}) and is started again ${next}.`;
    this.#publish(this.#down);
    this.#asker.failAll('The history writer ended unexpectedly: repeat the request in a moment.');
    if (this.#sender.threadDown()) {
      this.#publish('The history writer ended three times while it wrote the same rows; these rows were dropped.');
    }
  }

  #receive(message: FromThread): void {
    switch (message.type) {
      case 'committed':
        this.#lastCommitMs = message.atMs;
        this.#sender.committed(message.seq, message.refused);
        break;
      case 'condition':
        this.#bytes = message.bytes;
        this.#heldBytes = message.heldBytes;
        if (message.note !== null && this.#note === null) this.#publish(message.note);
        this.#note = message.note;
        if (message.text !== null && this.#trouble === null) this.#publish(message.text);
        this.#trouble = message.text;
        break;
      case 'pruned':
        this.#onPruned(message);
        break;
      case 'fault':
        this.#onFault(new Fault(message.code, message.sentence));
        break;
      case 'answer':
      case 'refusal':
        this.#asker.settle(message);
        break;
    }
  }

  #publish(sentence: string): void {
    this.#onFault(unavailable(sentence));
  }
}

import { Worker } from 'node:worker_threads';
import { unavailable } from '../../model/fault.ts';
import { reasonOf } from '../failures.ts';
import type { HeldSpan } from './held.ts';
import type { FromThread, ThreadData, ToThread } from './messages.ts';
import type { HistoryLimits } from './retention.ts';

const restartsInWindow = 3;
const windowMs = 60_000;
const stopWithinMs = 5_000;

export type SupervisorEvents = {
  /** Called when a thread has started; pending messages can be posted again. */
  onUp(): void;
  onMessage(message: FromThread): void;
  /** Called when the thread has ended unexpectedly. A new thread starts after `retryMs`. */
  onDown(why: string, retryMs: number): void;
};

/**
 * Keeps one history thread running. If the thread dies, a new one is started. A fourth restart within a minute waits
 * until the minute is over.
 */
export class ThreadSupervisor {
  readonly #script: URL;
  #data: ThreadData;
  readonly #events: SupervisorEvents;
  #worker: Worker | null = null;
  #up = false;
  #stopping = false;
  #restart: NodeJS.Timeout | undefined;
  #restartedMs: number[] = [];

  constructor(script: URL, data: ThreadData, events: SupervisorEvents) {
    this.#script = script;
    this.#data = data;
    this.#events = events;
  }

  get up(): boolean {
    return this.#up;
  }

  /** Starts the first thread, and resolves when it answers. Rejects with a Fault `unavailable` if no thread can run. */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#spawn(resolve, (why) => {
        this.#stopping = true;
        reject(unavailable(`The history writer did not start: ${why}.`));
      });
    });
  }

  /** Posts a message. While no thread runs, the message is lost; unacknowledged rows are posted again later. */
  post(message: ToThread): void {
    if (this.#up) this.#worker?.postMessage(message);
  }

  /** Sets retention and holds for the current thread and all later ones. */
  keep(retention: HistoryLimits, held: readonly HeldSpan[]): void {
    this.#data = { ...this.#data, retention, held };
    this.post({ type: 'keep', retention, held });
  }

  /** Stops the thread. The thread first finishes the posted work, for at most 5 s. */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#restart);
    const worker = this.#worker;
    if (worker === null) return;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    const late = setTimeout(() => void worker.terminate(), stopWithinMs);
    worker.postMessage({ type: 'stop' } satisfies ToThread);
    await ended;
    clearTimeout(late);
  }

  #spawn(onFirst?: () => void, onFailure?: (why: string) => void): void {
    let why = 'it reported no error';
    const worker = new Worker(this.#script, {
      name: 'history',
      workerData: this.#data,
      // Options of the daemon's process, for example preloaded modules or a debugger, would slow the start of the
      // thread.
      execArgv: [],
      // The number of waiting rows is limited, so a small heap for new objects (young generation) is enough.
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4, stackSizeMb: 2 },
    });
    this.#worker = worker;
    worker.on('error', (thrown) => {
      why = reasonOf(thrown);
    });
    worker.on('message', (message: FromThread) => {
      if (message.type !== 'ready') return this.#events.onMessage(message);
      this.#up = true;
      this.#events.onUp();
      onFirst?.();
    });
    worker.on('exit', () => {
      const failedFirst = onFailure !== undefined && !this.#up;
      this.#up = false;
      this.#worker = null;
      if (failedFirst) onFailure(why);
      else if (!this.#stopping) this.#restartLater(why);
    });
  }

  #restartLater(why: string): void {
    const now = performance.now();
    const thirdLast = this.#restartedMs.at(-restartsInWindow) ?? Number.NEGATIVE_INFINITY;
    const retryMs = Math.max(0, Math.ceil(thirdLast + windowMs - now));
    this.#restartedMs = [...this.#restartedMs.slice(1 - restartsInWindow), now + retryMs];
    this.#events.onDown(why, retryMs);
    this.#restart = setTimeout(() => this.#spawn(), retryMs);
  }
}

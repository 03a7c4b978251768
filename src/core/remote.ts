import { Worker } from 'node:worker_threads';
import type { Observation } from '../model/observation.ts';
import type { CoreOutput } from '../model/track_row.ts';
import type { CoreBeginning, FromCore, ToCore } from './messages.ts';
import type { SensorValue } from './settings.ts';

/** Steps sent to the worker and not yet answered; while so many are out, observations gather for the next. */
const MAX_STEPS_OUT = 2;
/** Observations waiting for the worker; beyond it the oldest is dropped and counted. */
const MAX_WAITING = 20_000;
const MAX_BATCH = 2_000;
/** Steps follow each other no faster: at thousands of observations a second a message for each would cost more than the core. */
const STEP_EVERY_MS = 5;
/** Time passes in the core at least so often. */
const TICK_MS = 250;
const MAX_RESTARTS = 3;
const RESTART_WINDOW_MS = 60_000;

export type CoreRemoteEvents = {
  /** The answer to one step, with the observations it took in the same order as `assigned`. */
  output: (output: CoreOutput, observations: readonly Observation[]) => void;
  /** The worker died and another takes over; `sentence` says why. */
  restarted: (sentence: string) => void;
  /** The worker died too often: the process should end. */
  failed: (sentence: string) => void;
};

/**
 * The handle on a core in its worker. The first observation after a pause travels at once, those that follow within
 * `STEP_EVERY_MS`, or while the worker is busy, as one batch: latency stays short and a flood costs few messages.
 */
export class CoreRemote {
  readonly #begin: () => CoreBeginning;
  readonly #nowMs: () => number;
  readonly #events: CoreRemoteEvents;
  #worker: Worker | null = null;
  #waiting: Observation[] = [];
  #out: (readonly Observation[])[] = [];
  #scheduled: unknown = null;
  #ticker: NodeJS.Timeout | null = null;
  #steppedMs = 0;
  #answeredMs = 0;
  #restarts: number[] = [];
  dropped = 0;

  /** `begin` is asked at start and after every restart: it says what the new core is to know. */
  constructor(begin: () => CoreBeginning, nowMs: () => number, events: CoreRemoteEvents) {
    this.#begin = begin;
    this.#nowMs = nowMs;
    this.#events = events;
  }

  /** Resolves once the worker answers. */
  async start(): Promise<void> {
    await this.#spawn();
    this.#ticker = setInterval(() => this.#tick(), TICK_MS);
  }

  /** Lets the worker finish what it has and what still waits, then ends it. */
  async stop(): Promise<void> {
    if (this.#ticker) clearInterval(this.#ticker);
    this.#ticker = null;
    while (this.#worker && this.#waiting.length > 0) this.#sendBatch();
    const worker = this.#worker;
    this.#worker = null;
    if (!worker) return;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.postMessage({ kind: 'end' } satisfies ToCore);
    const force = setTimeout(() => void worker.terminate(), 2_000);
    await ended;
    clearTimeout(force);
  }

  push(observation: Observation): void {
    if (this.#waiting.length >= MAX_WAITING) {
      this.#waiting.shift();
      this.dropped++;
    }
    this.#waiting.push(observation);
    this.#schedule();
  }

  setSensors(sensors: readonly SensorValue[]): void {
    this.#send({ kind: 'sensors', sensors });
  }

  drop(number: number): void {
    this.#send({ kind: 'drop', number });
  }

  /** Milliseconds since the worker last answered; small while it lives, since time passes in it anyway. */
  silentMs(): number {
    return this.#nowMs() - this.#answeredMs;
  }

  #send(message: ToCore): void {
    this.#worker?.postMessage(message);
  }

  #schedule(): void {
    if (this.#scheduled || this.#out.length >= MAX_STEPS_OUT) return;
    const step = (): void => {
      this.#scheduled = null;
      this.#step();
    };
    const waitMs = this.#steppedMs + STEP_EVERY_MS - this.#nowMs();
    this.#scheduled = waitMs <= 0 ? setImmediate(step) : setTimeout(step, Math.min(waitMs, STEP_EVERY_MS));
  }

  #tick(): void {
    if (this.#out.length === 0 && this.#nowMs() - this.#steppedMs >= TICK_MS) this.#step();
  }

  #step(): void {
    if (this.#worker && this.#out.length < MAX_STEPS_OUT) this.#sendBatch();
  }

  #sendBatch(): void {
    const batch = this.#waiting.length > MAX_BATCH ? this.#waiting.splice(0, MAX_BATCH) : this.#waiting;
    if (batch === this.#waiting) this.#waiting = [];
    this.#out.push(batch);
    this.#steppedMs = this.#nowMs();
    this.#send({ kind: 'step', observations: batch, nowMs: this.#steppedMs });
  }

  #spawn(): Promise<void> {
    const worker = new Worker(new URL('./worker.js', import.meta.url), {
      workerData: this.#begin(),
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
    this.#worker = worker;
    this.#out = [];
    this.#answeredMs = this.#nowMs();
    return new Promise((resolve, reject) => {
      let failure = new Error('the core ended without a word');
      worker.on('error', (error) => {
        failure = error;
      });
      worker.on('exit', () => {
        reject(failure);
        if (this.#worker === worker) this.#died(failure.message);
      });
      worker.on('message', (message: FromCore) => {
        this.#answeredMs = this.#nowMs();
        if (message.kind === 'ready') resolve();
        else this.#answer(message.output);
      });
    });
  }

  #answer(output: CoreOutput): void {
    const observations = this.#out.shift() ?? [];
    this.#events.output(output, observations);
    if (this.#waiting.length > 0) this.#schedule();
  }

  #died(sentence: string): void {
    this.#worker = null;
    const now = this.#nowMs();
    this.#restarts = this.#restarts.filter((at) => now - at < RESTART_WINDOW_MS);
    if (this.#ticker === null || this.#restarts.length >= MAX_RESTARTS) {
      this.#events.failed(`the core failed: ${sentence}`);
      return;
    }
    this.#restarts.push(now);
    this.#events.restarted(`the core failed and was started again: ${sentence}`);
    this.#spawn().catch(() => {
      // Its exit was already taken up by the handler above.
    });
  }
}

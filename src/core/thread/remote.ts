import { unavailable } from '../../model/fault.ts';
import type { Observation } from '../../model/observation.ts';
import { intervalAt, untilNextInterval } from '../../model/step_time.ts';
import type { CoreOutput } from '../../model/track_row.ts';
import type { CoreBeginning, FromCore } from '../messages.ts';
import { type CoreCall, CoreCaller } from './calls.ts';
import type { CoreEvents } from './handle.ts';
import { type CorePort, inItsThread } from './place.ts';
import { SentObservations } from './sent.ts';

/**
 * Greatest number of steps that are sent but not answered. At this number, further observations wait and form the next
 * batch.
 */
const MAX_STEPS_OUT = 2;
/**
 * Greatest number of observations that wait for the worker. Beyond this number the oldest one is dropped and counted in
 * `dropped`.
 */
const MAX_WAITING = 20_000;
/** Greatest number of observations in one step. */
export const MAX_BATCH = 2_000;
/** Longest time that a report of an own vehicle waits for further ones, ms, if no other observation waits. */
const OWN_WAIT_MS = 50;
/** Interval of steps while nothing is due in the core, ms. */
const LONGEST_STEP_MS = 1_000;
/** A step follows a changed setting or another call within this time, ms. */
const CHANGED_STEP_MS = 250;
const MAX_RESTARTS = 3;
const RESTART_WINDOW_MS = 60_000;

/** Runs a function at the next multiple of `everyMs`. Returns a function that cancels this. */
type AtNext = (everyMs: number, run: () => void) => () => void;

/**
 * Handle of a core that runs in a worker thread and steps by itself. An observation is sent at once if it is the first
 * of its interval (`STEP_EVERY_MS`). Those after a step of the same interval, or while the worker is busy, wait and are
 * sent as one batch. Reports of own vehicles wait up to `OWN_WAIT_MS`. Latency is thus short, and messages are few even
 * at high rates.
 */
export class CoreRemote extends CoreCaller {
  readonly #begin: () => CoreBeginning;
  readonly #nowMs: () => number;
  readonly #events: CoreEvents;
  readonly #atNext: AtNext;
  #port: CorePort | null = null;
  #waiting: Observation[] = [];
  #out = 0;
  readonly #sent: SentObservations;
  #cancelDue: (() => void) | null = null;
  #scheduled: unknown = null;
  #unhurried: NodeJS.Timeout | null = null;
  /** Whether a waiting observation is something else than an authenticated report of an own vehicle. */
  #isUrgent = false;
  #isRunning = false;
  #dueMs = Number.POSITIVE_INFINITY;
  #steppedMs = 0;
  #answeredMs = 0;
  #restarts: number[] = [];
  dropped = 0;

  /**
   * `begin` is called at the start and after every restart; it returns everything that the new core begins with.
   * `atNext` schedules the steps for which nothing is due.
   */
  constructor(
    begin: () => CoreBeginning,
    sensorIndex: (sensorId: string) => number,
    nowMs: () => number,
    events: CoreEvents,
    atNext: AtNext,
  ) {
    super(nowMs);
    this.#sent = new SentObservations(sensorIndex, (observation, number) => events.assigned(observation, number));
    this.#begin = begin;
    this.#nowMs = nowMs;
    this.#events = events;
    this.#atNext = atNext;
  }

  /** Starts the worker; resolves once it is ready. */
  async start(): Promise<void> {
    await this.#spawn();
    this.#isRunning = true;
    this.#stepBy(this.#nowMs() + CHANGED_STEP_MS);
  }

  /** Lets the worker process all sent and waiting observations, then ends it. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#cancelDue?.();
    if (this.#unhurried) clearTimeout(this.#unhurried);
    this.#cancelDue = this.#unhurried = null;
    while (this.#port && this.#waiting.length > 0) this.#sendBatch();
    const port = this.#port;
    this.#port = null;
    await port?.finish();
  }

  push(observation: Observation): void {
    if (this.#waiting.length >= MAX_WAITING) {
      this.#waiting.shift();
      this.dropped++;
    }
    this.#waiting.push(observation);
    if (!observation.authentic) this.#isUrgent = true;
    this.#scheduleWaiting();
  }

  /**
   * Returns the time since the worker last answered, ms. While the worker lives, this is hardly more than
   * `LONGEST_STEP_MS`, since that is the longest interval between steps.
   */
  silentMs(): number {
    return this.#nowMs() - this.#answeredMs;
  }

  protected deaf(): string | null {
    return this.#port ? null : 'the core is being started again: repeat the request';
  }

  protected send(call: CoreCall, transfer: ArrayBuffer[] = []): void {
    if (!this.#port) return;
    this.#events.published?.(call);
    this.#port.send(call, transfer);
    if (call.kind !== 'step') this.#stepBy(this.#nowMs() + CHANGED_STEP_MS);
  }

  /**
   * Schedules a step. If only reports of own vehicles wait, the step is delayed up to `OWN_WAIT_MS`. These reports come
   * by the hundred, and none raises an alarm.
   */
  #scheduleWaiting(): void {
    if (this.#isUrgent) this.#schedule();
    else
      this.#unhurried ??= setTimeout(() => {
        this.#unhurried = null;
        if (this.#waiting.length > 0) this.#schedule();
      }, OWN_WAIT_MS);
  }

  #schedule(): void {
    if (this.#scheduled || this.#out >= MAX_STEPS_OUT) return;
    const step = (): void => {
      this.#scheduled = null;
      this.#step();
    };
    // A socket with many datagrams is read in two turns of the event loop.
    const stepOnceRead = (): unknown => setImmediate(() => setImmediate(step));
    const nowMs = this.#nowMs();
    const isFirst = intervalAt(nowMs) !== intervalAt(this.#steppedMs);
    this.#scheduled = isFirst ? stepOnceRead() : setTimeout(stepOnceRead, untilNextInterval(nowMs));
  }

  #step(): void {
    if (this.#port && this.#out < MAX_STEPS_OUT) this.#sendBatch();
  }

  #sendBatch(): void {
    const batch = this.#waiting.length > MAX_BATCH ? this.#waiting.splice(0, MAX_BATCH) : this.#waiting;
    if (batch === this.#waiting) {
      this.#waiting = [];
      this.#isUrgent = false;
    }
    const packed = this.#sent.pack(batch);
    this.#out++;
    this.#steppedMs = this.#nowMs();
    this.send({ kind: 'step', batch: packed, nowMs: this.#steppedMs }, [packed.rows.buffer as ArrayBuffer]);
  }

  #spawn(): Promise<void> {
    this.#out = 0;
    this.#sent.lose();
    this.#answeredMs = this.#nowMs();
    return new Promise((resolve, reject) => {
      const port: CorePort = inItsThread(this.#begin(), {
        published: (message) => {
          this.#answeredMs = this.#nowMs();
          if (message.kind !== 'ready') return this.#answered(message);
          resolve();
          this.#stepBy(this.#nowMs() + CHANGED_STEP_MS);
        },
        ended: (sentence) => {
          reject(new Error(sentence));
          if (this.#port === port) this.#died(sentence);
        },
      });
      this.#port = port;
    });
  }

  #answered(message: Exclude<FromCore, { kind: 'ready' }>): void {
    if (message.kind === 'changed') this.#changed(message);
    else if (message.kind === 'previewed') this.answered(message.id, message.threats);
    else this.#answer(message.output, message.tookMs);
  }

  #changed({ id, outcome, output }: Extract<FromCore, { kind: 'changed' }>): void {
    this.#take(output, 0);
    this.answered(id, outcome);
  }

  #answer(output: CoreOutput, tookMs: number): void {
    this.#out--;
    this.#take(output, tookMs);
    if (this.#waiting.length > 0) this.#scheduleWaiting();
  }

  #take(output: CoreOutput, tookMs: number): void {
    this.#events.output(output, tookMs);
    this.#sent.settle(output);
    this.#stepWhenDue(output.dueMs);
  }

  /**
   * Schedules a step for `dueMs`, at which the core has something to do. If that is more than `LONGEST_STEP_MS` ahead,
   * the next step comes with the regular work of the process, at the next multiple of this interval.
   */
  #stepWhenDue(dueMs: number): void {
    this.#cancelDue?.();
    this.#cancelDue = null;
    const latestMs = this.#steppedMs + LONGEST_STEP_MS;
    if (dueMs <= latestMs) this.#stepBy(dueMs);
    else if (this.#isRunning) {
      this.#dueMs = latestMs;
      this.#cancelDue = this.#atNext(LONGEST_STEP_MS, () => this.#stepDue());
    }
  }

  /** Schedules a step for `dueMs` unless an earlier step is scheduled. */
  #stepBy(dueMs: number): void {
    if (!this.#isRunning || (this.#cancelDue !== null && this.#dueMs <= dueMs)) return;
    this.#cancelDue?.();
    this.#dueMs = dueMs;
    const timer = setTimeout(() => this.#stepDue(), Math.max(1, Math.ceil(dueMs - this.#nowMs())));
    this.#cancelDue = () => clearTimeout(timer);
  }

  #stepDue(): void {
    this.#cancelDue = null;
    this.#step();
  }

  #died(sentence: string): void {
    this.#port = null;
    this.unanswered(unavailable('the core failed and is started again: repeat the request'));
    const now = this.#nowMs();
    this.#restarts = this.#restarts.filter((at) => now - at < RESTART_WINDOW_MS);
    if (!this.#isRunning || this.#restarts.length >= MAX_RESTARTS) {
      this.#events.failed(`the core failed: ${sentence}`);
      return;
    }
    this.#restarts.push(now);
    this.#events.restarted(`the core failed and was started again: ${sentence}`);
    this.#spawn().catch(() => {
      // The callback `ended` above has already handled the failure.
    });
  }
}

import { idleTimers, type Timers } from './timers.ts';

/** Time by which a timer may run before it is due, ms, because the event loop counts whole milliseconds. */
const EARLY_MS = 1;

type Beat = { readonly dueMs: number; readonly run: (dueMs: number) => void };

/**
 * Runs the regular work of all parts at common times: the multiples of its interval. Each wake costs an idle box more
 * than the work itself, so ten parts with an interval of one second wake it once a second.
 *
 * Work runs after the data that waits in the sockets was read. After a stall of the thread, a plain timer would run
 * before that, and a check of silence would report silence. Work does not keep the process alive.
 */
export class Pulse {
  readonly #timers: Timers;
  readonly #beats = new Set<Beat>();
  #armedMs = Number.POSITIVE_INFINITY;
  #disarm = (): void => {};

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /**
   * Runs a function at each multiple of `everyMs`, with the time at which it was due, ms. Multiples that pass during a
   * stall are left out. Returns a function that ends this.
   */
  every(everyMs: number, run: (dueMs: number) => void): () => void {
    let cancel = (): void => {};
    const next = (): void => {
      cancel = this.once(everyMs, (dueMs) => {
        next();
        run(dueMs);
      });
    };
    next();
    return () => cancel();
  }

  /** Runs a function at the next multiple of `everyMs`. Returns a function that cancels this. */
  once(everyMs: number, run: (dueMs: number) => void): () => void {
    const next = Math.floor((this.#timers.now() + EARLY_MS) / everyMs) + 1;
    return this.#at(next * everyMs, run);
  }

  #at(dueMs: number, run: (dueMs: number) => void): () => void {
    const beat = { dueMs, run };
    this.#beats.add(beat);
    this.#arm(dueMs);
    return () => void this.#beats.delete(beat);
  }

  #arm(dueMs: number): void {
    if (dueMs >= this.#armedMs) return;
    this.#disarm();
    this.#armedMs = dueMs;
    this.#disarm = this.#timers.after(Math.max(0, Math.ceil(dueMs - this.#timers.now())), () => this.#beat());
  }

  #beat(): void {
    this.#armedMs = Number.POSITIVE_INFINITY;
    const nowMs = this.#timers.now() + EARLY_MS;
    let nextMs = Number.POSITIVE_INFINITY;
    for (const beat of this.#beats) {
      if (beat.dueMs <= nowMs) setImmediate(() => this.#beats.delete(beat) && beat.run(beat.dueMs));
      else nextMs = Math.min(nextMs, beat.dueMs);
    }
    if (Number.isFinite(nextMs)) this.#arm(nextMs);
  }
}

/** The pulse of this thread. */
export const pulse = new Pulse(idleTimers);

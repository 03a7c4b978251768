import { idleTimers, type Timers } from './timers.ts';

/** Time by which a timer may run before it is due, ms, because the event loop counts whole milliseconds. */
const EARLY_MS = 1;
/** Time between the scheduling of a turn and the turn itself, ms, from which the thread stalled in between. */
const STALL_MS = 250;

type Run = (dueMs: number) => void;
/** `isPrompt`: the work runs in the timer itself. */
type Beat = { readonly dueMs: number; readonly run: Run; readonly isPrompt: boolean };

/**
 * Runs the regular work of all parts at common times: the multiples of its interval. Each wake costs an idle box more
 * than the work itself, so ten parts with an interval of one second wake it once a second.
 *
 * Each work runs in a turn of the event loop of its own, after the data that waits in the sockets was read. After a
 * stall of the thread, a plain timer would run before that, and a check of silence would report silence. Work does not
 * keep the process alive.
 */
export class Pulse {
  readonly #timers: Timers;
  readonly #beats = new Set<Beat>();
  /** Beats that are due and wait for their turn. */
  #due: Beat[] = [];
  #armedMs = Number.POSITIVE_INFINITY;
  #disarm = (): void => {};

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /**
   * Runs a function at each multiple of `everyMs`, with the time at which it was due, ms. Multiples that pass during a
   * stall are left out. Returns a function that ends this.
   */
  every(everyMs: number, run: Run): () => void {
    return this.#each(everyMs, run, false);
  }

  /** Like `every`, but the work runs in the timer itself, without a turn of its own. It measures delays of the thread. */
  measure(everyMs: number, run: Run): () => void {
    return this.#each(everyMs, run, true);
  }

  /** Runs a function at the next multiple of `everyMs`. Returns a function that cancels this. */
  once(everyMs: number, run: Run): () => void {
    return this.#next(everyMs, run, false);
  }

  #each(everyMs: number, run: Run, isPrompt: boolean): () => void {
    let cancel = (): void => {};
    const next = (): void => {
      const again: Run = (dueMs) => {
        next();
        run(dueMs);
      };
      cancel = this.#next(everyMs, again, isPrompt);
    };
    next();
    return () => cancel();
  }

  #next(everyMs: number, run: Run, isPrompt: boolean): () => void {
    const dueMs = (Math.floor((this.#timers.now() + EARLY_MS) / everyMs) + 1) * everyMs;
    const beat = { dueMs, run, isPrompt };
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
    const [due, later] = [[] as Beat[], [] as Beat[]];
    for (const beat of this.#beats) (beat.dueMs <= nowMs ? due : later).push(beat);
    if (later.length > 0) this.#arm(Math.min(...later.map(({ dueMs }) => dueMs)));
    const waited = this.#due.length > 0;
    this.#due.push(...due.filter((beat) => !beat.isPrompt && !this.#due.includes(beat)));
    if (!waited && this.#due.length > 0) this.#takeTurn();
    for (const beat of due) if (beat.isPrompt) this.#run(beat);
  }

  /** Schedules the turn of the first due beat. After a stall, waiting data is read in one more turn before. */
  #takeTurn(): void {
    const sinceMs = this.#timers.now();
    setImmediate(() => {
      if (this.#timers.now() - sinceMs > STALL_MS) this.#takeTurn();
      else this.#turn();
    });
  }

  /** Runs the first due beat. The next turn is scheduled before, so that a beat that fails stops no other. */
  #turn(): void {
    const beat = this.#due.shift();
    if (this.#due.length > 0) this.#takeTurn();
    if (beat) this.#run(beat);
  }

  #run(beat: Beat): void {
    if (this.#beats.delete(beat)) beat.run(beat.dueMs);
  }
}

/** The pulse of this thread. */
export const pulse = new Pulse(idleTimers);

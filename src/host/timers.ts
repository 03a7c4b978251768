/** Monotonic time and one-shot timers, as a value so that tests control the clock. */
export type Timers = {
  /** Milliseconds on a clock that never steps. */
  now(): number;
  /** Runs once after `ms`; the answer cancels it. */
  after(ms: number, run: () => void): () => void;
};

function after(ms: number, run: () => void, keepsAlive: boolean): () => void {
  const timer = setTimeout(run, ms);
  if (!keepsAlive) timer.unref();
  return () => clearTimeout(timer);
}

/** The process lives until such a timer has run: for deadlines that other work waits for. */
export const realTimers: Timers = {
  now: () => performance.now(),
  after: (ms, run) => after(ms, run, true),
};

/** The process may end while such a timer waits: for optional work. */
export const idleTimers: Timers = { ...realTimers, after: (ms, run) => after(ms, run, false) };

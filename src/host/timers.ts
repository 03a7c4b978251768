/** Monotonic time and one-shot timers, as a dependency so that tests control the clock. */
export type Timers = {
  /** Milliseconds on a clock that never steps. */
  now(): number;
  /** Runs a function once after `ms`; returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
};

function after(ms: number, run: () => void, keepsAlive: boolean): () => void {
  const timer = setTimeout(run, ms);
  if (!keepsAlive) timer.unref();
  return () => clearTimeout(timer);
}

/** Timers that keep the process alive until they have run: for deadlines that other work waits for. */
export const realTimers: Timers = {
  now: () => performance.now(),
  after: (ms, run) => after(ms, run, true),
};

/** Timers that do not keep the process alive: for optional work. */
export const idleTimers: Timers = { ...realTimers, after: (ms, run) => after(ms, run, false) };

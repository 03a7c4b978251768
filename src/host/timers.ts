/** Monotonic time and one-shot timers. They are a dependency, so that tests control the clock. */
export type Timers = {
  /** Returns monotonic time, ms. */
  now(): number;
  /** Runs a function once after `ms`. Returns a function that cancels the timer. */
  after(ms: number, run: () => void): () => void;
};

function after(ms: number, run: () => void, keepsAlive: boolean): () => void {
  const timer = setTimeout(run, ms);
  if (!keepsAlive) timer.unref();
  return () => clearTimeout(timer);
}

/** Timers that keep the process alive until they have run. Use them for deadlines that other work waits for. */
export const realTimers: Timers = {
  now: () => performance.now(),
  after: (ms, run) => after(ms, run, true),
};

/** Timers that do not keep the process alive. Use them for optional work. */
export const idleTimers: Timers = { ...realTimers, after: (ms, run) => after(ms, run, false) };

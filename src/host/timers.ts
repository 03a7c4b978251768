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

/**
 * Runs a function at an interval, each time after what waits in the sockets was read. After a stall of the thread, what
 * judges silence would otherwise run first, and take what waits for silence. Returns a function that ends it.
 */
export function everyRead(ms: number, run: () => void): () => void {
  let due: NodeJS.Immediate | undefined;
  const timer = setInterval(() => {
    clearImmediate(due);
    due = setImmediate(run);
  }, ms);
  return () => {
    clearInterval(timer);
    clearImmediate(due);
  };
}

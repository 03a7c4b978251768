import { pulse } from './pulse.ts';

export type LoopDelay = ReturnType<typeof createLoopDelay>;

/** Interval of samples, ms, and number of samples kept. Other regular work has the same interval, so no wake is added. */
const SAMPLE_MS = 500;
const SAMPLES = 30;

/**
 * Creates a meter of the delay of the event loop. `p99Ms` is the 99th percentile of the last 15 s. With so few samples
 * this is the greatest one.
 */
export function createLoopDelay() {
  let end: (() => void) | null = null;
  let lateMs: number[] = [];

  return {
    start(): void {
      end ??= pulse.measure(SAMPLE_MS, (dueMs) => {
        lateMs.push(Math.max(0, performance.now() - dueMs));
        if (lateMs.length > SAMPLES) lateMs.shift();
      });
    },
    stop(): void {
      end?.();
      end = null;
      lateMs = [];
    },
    p99Ms: () => Math.max(0, ...lateMs),
  };
}

import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

export type LoopDelay = ReturnType<typeof createLoopDelay>;

/** Interval of samples, ms. It is long, so that the process wakes rarely. The watchdog limit is several seconds. */
const RESOLUTION_MS = 250;
const WINDOW_MS = 10_000;

/**
 * Creates a meter of the delay of the event loop. `p99Ms` is the 99th percentile of the current or the previous 10 s,
 * whichever is greater.
 */
export function createLoopDelay() {
  let histogram: IntervalHistogram | null = null;
  let turn: NodeJS.Timeout | null = null;
  let former = 0;

  // The histogram contains the time between two ticks of its timer, so RESOLUTION_MS is subtracted to get the delay.
  const current = (): number => {
    if (histogram === null || histogram.count === 0) return 0;
    return Math.max(0, histogram.percentile(99) / 1e6 - RESOLUTION_MS);
  };

  return {
    start(): void {
      if (histogram !== null) return;
      histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
      histogram.enable();
      turn = setInterval(() => {
        former = current();
        histogram?.reset();
      }, WINDOW_MS);
      turn.unref();
    },
    stop(): void {
      histogram?.disable();
      histogram = null;
      if (turn !== null) clearInterval(turn);
      turn = null;
      former = 0;
    },
    p99Ms: () => Math.max(former, current()),
  };
}

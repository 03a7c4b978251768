import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

export type LoopDelay = ReturnType<typeof createLoopDelay>;

/** Interval of samples. It is long, because each sample wakes the process, and the watchdog's limit is seconds. */
const RESOLUTION_MS = 250;
const WINDOW_MS = 10_000;

/** Measures the delay of the event loop over the last 10 to 20 s. */
export function createLoopDelay() {
  let histogram: IntervalHistogram | null = null;
  let turn: NodeJS.Timeout | null = null;
  let former = 0;

  // The histogram measures the time between two ticks of its own timer, which are at least RESOLUTION_MS apart.
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

import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** Loaded into a daemon before itself: at SIGUSR2 it writes the longest hold of the event loop since the last time. */
const file = process.env.DUNLIN_BENCH_HOLD_FILE;
const RESOLUTION_MS = 1;

if (isMainThread && file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  process.on('SIGUSR2', () => {
    // What the histogram measures is the time between two ticks of its own.
    const holdMs = delay.count === 0 ? 0 : Math.max(0, delay.max / 1e6 - RESOLUTION_MS);
    writeFileSync(file, `${holdMs}\n`);
    delay.reset();
  });
}

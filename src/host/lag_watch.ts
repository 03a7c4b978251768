import { pulse } from './pulse.ts';

const SAMPLE_MS = 1_000;
const WINDOW_MS = 60_000;
/** Minimum lateness of the sampling timer that counts, ms. */
const LATE_MS = 1_000;
/** Least number of late samples in `WINDOW_MS` for which a lag is reported. Single pauses are normal. */
const LEAST = 3;

export type LagWatch = ReturnType<typeof createLagWatch>;

/**
 * Creates a watch for repeated delays of the event loop. Such delays occur if the box has no free processor time or a
 * slow disk.
 */
export function createLagWatch(nowMs: () => number = () => performance.now()) {
  let end: (() => void) | null = null;
  let dueMs = 0;
  let late: { atMs: number; byMs: number }[] = [];

  function sample(): void {
    const atMs = nowMs();
    if (atMs - dueMs >= LATE_MS) late.push({ atMs, byMs: atMs - dueMs });
    dueMs = atMs + SAMPLE_MS;
  }

  return {
    start(): void {
      if (end !== null) return;
      dueMs = nowMs() + SAMPLE_MS;
      end = pulse.measure(SAMPLE_MS, sample);
    },
    stop(): void {
      end?.();
      end = null;
      late = [];
    },
    /** Returns the greatest lateness of the last minute, ms; 0 if fewer than `LEAST` samples were late. */
    worstMs(): number {
      late = late.filter(({ atMs }) => nowMs() - atMs <= WINDOW_MS);
      return late.length < LEAST ? 0 : Math.max(...late.map(({ byMs }) => byMs));
    },
  };
}

const SAMPLE_MS = 1_000;
const WINDOW_MS = 60_000;
/** Lateness of a turn of the event loop that counts, ms. */
const LATE_MS = 1_000;
/** Late turns within the window that make a lag: a single pause is none. */
const LEAST = 3;

export type LagWatch = ReturnType<typeof createLagWatch>;

/** Watches whether the event loop keeps turning late, as it does on a box without free processor time or with a slow disk. */
export function createLagWatch(nowMs: () => number = () => performance.now()) {
  let timer: NodeJS.Timeout | null = null;
  let dueMs = 0;
  let late: { atMs: number; byMs: number }[] = [];

  function sample(): void {
    const atMs = nowMs();
    if (atMs - dueMs >= LATE_MS) late.push({ atMs, byMs: atMs - dueMs });
    dueMs = atMs + SAMPLE_MS;
  }

  return {
    start(): void {
      if (timer !== null) return;
      dueMs = nowMs() + SAMPLE_MS;
      timer = setInterval(sample, SAMPLE_MS);
      timer.unref();
    },
    stop(): void {
      if (timer !== null) clearInterval(timer);
      timer = null;
      late = [];
    },
    /** Greatest lateness of the last minute, ms; 0 unless the loop was late several times. */
    worstMs(): number {
      late = late.filter(({ atMs }) => nowMs() - atMs <= WINDOW_MS);
      return late.length < LEAST ? 0 : Math.max(...late.map(({ byMs }) => byMs));
    },
  };
}

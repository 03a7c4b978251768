import type { Timers } from '../../src/host/timers.ts';

/** Timers whose hands the test turns. `advance` runs what falls due, in order, and lets promises settle in between. */
export type ManualTimers = Timers & { advance(ms: number): Promise<void>; waiting(): number };

export function manualTimers(): ManualTimers {
  let now = 0;
  let due: { at: number; run: () => void }[] = [];

  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      due.push(timer);
      return () => {
        due = due.filter((other) => other !== timer);
      };
    },
    async advance(ms) {
      const end = now + ms;
      for (;;) {
        await settle();
        const next = due.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        due = due.filter((timer) => timer !== next);
        now = next.at;
        next.run();
      }
      now = end;
      await settle();
    },
    waiting: () => due.length,
  };
}

/** Lets every promise that can settle do so. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

import type { Log } from '../journal.ts';
import { idleTimers, type Timers } from '../timers.ts';

/** One kind of line from the data path: reports are counted, and at most one line each interval says how many. */
export type RateLimited = ReturnType<typeof rateLimited>;

type Held = { level: 'info' | 'warn' | 'error'; fields: object; message: string };

/**
 * The first report writes a line at once; later ones within `everyMs` are counted and said in one line when the interval
 * ends, with `count`.
 */
export function rateLimited(log: Log, everyMs = 5_000, timers: Timers = idleTimers) {
  let held: Held | null = null;
  let count = 0;
  let cancel: (() => void) | null = null;

  function say(): void {
    if (held !== null) log[held.level]({ ...held.fields, count }, held.message);
    held = null;
    count = 0;
  }

  function endInterval(): void {
    cancel = null;
    if (held === null) return;
    say();
    cancel = timers.after(everyMs, endInterval);
  }

  return {
    /** `fields` and `message` of the last report of an interval are those of its line. */
    report(level: Held['level'], fields: object, message: string): void {
      held = { level, fields, message };
      count++;
      if (cancel !== null) return;
      say();
      cancel = timers.after(everyMs, endInterval);
    },
    /** Writes the reports that were counted since the last line; for the stop. */
    flush(): void {
      cancel?.();
      cancel = null;
      say();
    },
  };
}

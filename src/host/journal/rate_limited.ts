import type { Log } from '../journal.ts';
import { idleTimers, type Timers } from '../timers.ts';

/**
 * A log line with a limited rate, for events of the data path: at most one line per interval, with the number of
 * events.
 */
export type RateLimited = ReturnType<typeof rateLimited>;

type Held = { level: 'info' | 'warn' | 'error'; fields: object; message: string };

/**
 * Creates a rate-limited line. The first report is written at once. Later reports within `everyMs` are counted, and
 * written as one line with `count` at the end of the interval.
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
    /** Counts a report. The line of an interval contains `fields` and `message` of the last report in the interval. */
    report(level: Held['level'], fields: object, message: string): void {
      held = { level, fields, message };
      count++;
      if (cancel !== null) return;
      say();
      cancel = timers.after(everyMs, endInterval);
    },
    /** Writes the reports that were counted since the last line. Call this at the stop. */
    flush(): void {
      cancel?.();
      cancel = null;
      say();
    },
  };
}

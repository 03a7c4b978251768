import { realTimers, type Timers } from '../../../src/edge/link/deps.ts';

/** Deadlines of a link that pass so many times faster. */
export function fastTimers(times: number): Timers {
  return { after: (ms, act) => realTimers.after(ms / times, act) };
}

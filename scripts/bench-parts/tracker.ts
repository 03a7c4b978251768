import type { Row } from './row.ts';
import { benchTrackerSpeed } from './tracker_speed.ts';

/** The native tracker alone: what a report costs it, what a track weighs, how soon a second of data is answered. */
export async function benchTracker(): Promise<Row[]> {
  return [...benchTrackerSpeed()];
}

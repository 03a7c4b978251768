import type { Row } from './row.ts';
import { benchTrackerMemory } from './tracker_memory.ts';
import { benchTrackerScan } from './tracker_scan.ts';
import { benchTrackerSpeed } from './tracker_speed.ts';

/** The tracker alone: what a track weighs, what a report costs, how soon a second of data is answered. */
export async function benchTracker(): Promise<Row[]> {
  // Memory first, while little else was allocated and given back.
  return [...benchTrackerMemory(), ...(await benchTrackerSpeed()), ...(await benchTrackerScan())];
}

import type { TrackRemoval } from '../model/track_row.ts';
import type { TrackRecord } from './track_record.ts';

/** What a step has found so far. */
export type Output = { rows: Float64Array; news: Set<TrackRecord>; removed: TrackRemoval[] };

export function emptyOutput(): Output {
  return { rows: new Float64Array(0), news: new Set(), removed: [] };
}

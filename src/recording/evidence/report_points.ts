import type { TrackPoint } from '../../model/track.ts';
import type { PlacedPoint, ReportData } from './report_data.ts';

/** Limit of the points in a sketch: more would not be visible. */
const MOST = 2_000;

/**
 * Returns the observed points of a track that have a position, thinned out evenly while they are read. `pointCount` is
 * the number of all points. `extrapolatedCount` is the number of points in the states `coasting` and `lost`, which are
 * predicted without an observation.
 */
export async function reportPoints(
  pages: AsyncIterable<readonly TrackPoint[]>,
): Promise<Pick<ReportData, 'points' | 'pointCount' | 'extrapolatedCount'>> {
  let points: PlacedPoint[] = [];
  let [pointCount, extrapolatedCount, placed, every] = [0, 0, 0, 1];
  let last: PlacedPoint | undefined;
  for await (const page of pages) {
    pointCount += page.length;
    for (const point of page) {
      const isObserved = point.state !== 'coasting' && point.state !== 'lost';
      if (!isObserved) extrapolatedCount++;
      if (!isObserved || point.lat === null || point.lon === null) continue;
      last = point as PlacedPoint;
      if (placed++ % every === 0) points.push(last);
      if (points.length < MOST) continue;
      points = points.filter((_, i) => i % 2 === 0);
      every *= 2;
    }
  }
  if (last && points.at(-1) !== last) points.push(last);
  return { points, pointCount, extrapolatedCount };
}

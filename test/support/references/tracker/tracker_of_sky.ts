import { type ClutterBox, DETECTION, RANGE_MOST_M } from '../../sky/radar.ts';
import { ReferenceTracker } from './tracker.ts';

/** The reference tracker with the radar of a sky, and room for `slots` tracks and as many plots. */
export function referenceTrackerOf({ clutter }: { clutter: ClutterBox }, slots: number): ReferenceTracker {
  const { perLook, rangeM, elevationDeg } = clutter;
  const spread = ([least, most]: readonly [number, number]): number => most - least;
  const box = { perLook, rangeM: spread(rangeM), elevation: (spread(elevationDeg) * Math.PI) / 180 };
  return new ReferenceTracker({ detection: DETECTION, rangeMostM: RANGE_MOST_M, clutter: box }, slots, slots);
}

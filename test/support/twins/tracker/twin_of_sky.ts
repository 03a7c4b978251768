import { type ClutterBox, DETECTION, RANGE_MOST_M } from '../../sky/radar.ts';
import { TrackerTwin } from './tracker_twin.ts';

/** A twin that knows the radar of a sky as the native tracker does, with room for `slots` tracks and as many plots. */
export function twinOf({ clutter }: { clutter: ClutterBox }, slots: number): TrackerTwin {
  const { perLook, rangeM, elevationDeg } = clutter;
  const spread = ([least, most]: readonly [number, number]): number => most - least;
  const box = { perLook, rangeM: spread(rangeM), elevation: (spread(elevationDeg) * Math.PI) / 180 };
  return new TrackerTwin({ detection: DETECTION, rangeMostM: RANGE_MOST_M, clutter: box }, slots, slots);
}

import type { Track } from '../../model/track.ts';
import type { Place } from './camera.ts';

type Ahead = Pick<Track['predicted'][number], 'in_s' | 'lat' | 'lon'>;

/**
 * Places of a course vector, from the track's position to its predicted position in `vectorS` seconds. Where the
 * daemon's predictions end earlier, the last leg is continued at its speed. Empty without a prediction up to `vectorS`.
 */
export function courseAhead(position: Place, predicted: readonly Ahead[], vectorS: number): Place[] {
  const known = predicted.filter(({ in_s }) => in_s <= vectorS);
  const last = known.at(-1);
  if (last === undefined) return [];
  const before: Ahead = known.at(-2) ?? { in_s: 0, lat: position.lat, lon: position.lon };
  const legs = (vectorS - last.in_s) / (last.in_s - before.in_s);
  const end = {
    lat: last.lat + (last.lat - before.lat) * legs,
    lon: last.lon + turnDeg(last.lon - before.lon) * legs,
  };
  return [position, ...known, ...(legs > 0 ? [end] : [])];
}

/** A difference of longitudes from −180 to 180, degrees: a leg may cross the 180th meridian. */
function turnDeg(deg: number): number {
  return ((((deg + 180) % 360) + 360) % 360) - 180;
}

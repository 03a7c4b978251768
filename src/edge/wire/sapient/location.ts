import type { Location } from './message.ts';

/** Standard deviations, horizontal and vertical, m. */
export type LocationError = { hM?: number | null | undefined; vM?: number | null | undefined };

/** Creates a location in degrees with a height above the ellipsoid. Errors are in metres, as in the samples of dstl. */
export function locationOf(lat: number, lon: number, altHaeM: number | null, { hM, vM }: LocationError = {}): Location {
  return {
    ...{ x: lon, y: lat, coordinate_system: 'LAT_LNG_DEG_M', datum: 'WGS84_E' },
    ...(altHaeM === null ? {} : { z: altHaeM, ...(vM == null ? {} : { z_error: vM }) }),
    ...(hM == null ? {} : { x_error: hM, y_error: hM }),
  };
}

import type { MslPosition } from '../edge/wire/mavlink/read_vehicle.ts';
import { haeOfMsl, mslOfHae } from '../geo/geoid.ts';
import type { Geodetic } from '../geo/position.ts';

/** Converts a position to MAVLink's global frames, whose altitudes are above mean sea level. */
export function mslOf({ latDeg, lonDeg, altHaeM }: Geodetic): MslPosition {
  return { latDeg, lonDeg, altMslM: mslOfHae(altHaeM, latDeg, lonDeg) };
}

export function geodeticOf({ latDeg, lonDeg, altMslM }: MslPosition): Geodetic {
  return { latDeg, lonDeg, altHaeM: haeOfMsl(altMslM, latDeg, lonDeg) };
}

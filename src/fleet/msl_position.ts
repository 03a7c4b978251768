import type { MslPosition } from '../edge/wire/mavlink/read_vehicle.ts';
import { haeOfMsl, mslOfHae } from '../geo/geoid.ts';
import type { Geodetic } from '../geo/position.ts';

/** MAVLink's global frames have altitudes above mean sea level: positions are converted where they are ordered or received. */
export function mslOf({ latDeg, lonDeg, altHaeM }: Geodetic): MslPosition {
  return { latDeg, lonDeg, altMslM: mslOfHae(altHaeM, latDeg, lonDeg) };
}

export function geodeticOf({ latDeg, lonDeg, altMslM }: MslPosition): Geodetic {
  return { latDeg, lonDeg, altHaeM: haeOfMsl(altMslM, latDeg, lonDeg) };
}

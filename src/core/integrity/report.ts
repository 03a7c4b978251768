import type { LatLon } from '../../geo/position.ts';

/**
 * Values that one aircraft reported at one time. One object is reused for all reports, so readers must not keep it.
 * Times are world time, s. NaN marks values that were not reported.
 */
export class Report implements LatLon {
  /** Time of reception, s. */
  receivedS = Number.NaN;
  /** Time by the aircraft's own clock, s; −Infinity if the aircraft reports that it has no time. */
  sourceS = Number.NaN;
  /** Time at which the reported position is taken to be valid, s. */
  timeS = Number.NaN;
  latDeg = Number.NaN;
  lonDeg = Number.NaN;
  /** Height, m, in whichever reference is reported. Compare it only with heights of the same claim. */
  heightM = Number.NaN;
  speedMps = Number.NaN;
  /** Velocity east and north, m/s; NaN if the report has a speed but no course. */
  eastMps = Number.NaN;
  northMps = Number.NaN;
  climbMps = Number.NaN;
  /** Reported standard deviation of the position, m. */
  sigmaM = Number.NaN;
  /** Whether the aircraft reports that it is flying (true) or on the ground (false); null if it reports neither. */
  airborne: boolean | null = null;
  operatorLatDeg = Number.NaN;
  operatorLonDeg = Number.NaN;
}

const EARTH_RADIUS_M = 6_371_008.8;
const RADIANS = Math.PI / 180;

/**
 * Returns the distance east for a difference of longitudes, m; `latDeg` is the latitude midway. The result is not valid
 * within some kilometres of a pole.
 */
export function eastM(fromLonDeg: number, toLonDeg: number, latDeg: number): number {
  const turnDeg = toLonDeg - fromLonDeg;
  const lonDeg = turnDeg > 180 ? turnDeg - 360 : turnDeg < -180 ? turnDeg + 360 : turnDeg;
  return lonDeg * RADIANS * EARTH_RADIUS_M * Math.cos(latDeg * RADIANS);
}

export function northM(fromLatDeg: number, toLatDeg: number): number {
  return (toLatDeg - fromLatDeg) * RADIANS * EARTH_RADIUS_M;
}

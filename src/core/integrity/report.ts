import type { LatLon } from '../../geo/position.ts';

/**
 * Values that one aircraft reported at one time. One object is filled for all reports: readers must not keep it. Times
 * are world time, s; NaN is a value that was not reported.
 */
export class Report implements LatLon {
  /** Time of reception, s. */
  receivedS = Number.NaN;
  /** Time by its own clock. */
  sourceS = Number.NaN;
  /** Time for which its place is judged to hold. */
  timeS = Number.NaN;
  latDeg = Number.NaN;
  lonDeg = Number.NaN;
  /** Height in any datum; only compared with itself. */
  heightM = Number.NaN;
  speedMps = Number.NaN;
  /** NaN where no course is reported with the speed. */
  eastMps = Number.NaN;
  northMps = Number.NaN;
  climbMps = Number.NaN;
  /** Reported accuracy of its place. */
  sigmaM = Number.NaN;
  /** Whether it reports to fly or to stand on the ground; null where it reports neither. */
  airborne: boolean | null = null;
  operatorLatDeg = Number.NaN;
  operatorLonDeg = Number.NaN;
}

const EARTH_RADIUS_M = 6_371_008.8;
const RADIANS = Math.PI / 180;

/** Metres east for a difference of longitudes at a middle latitude. Valid some kilometres or more from a pole. */
export function eastM(fromLonDeg: number, toLonDeg: number, latDeg: number): number {
  const turnDeg = toLonDeg - fromLonDeg;
  const lonDeg = turnDeg > 180 ? turnDeg - 360 : turnDeg < -180 ? turnDeg + 360 : turnDeg;
  return lonDeg * RADIANS * EARTH_RADIUS_M * Math.cos(latDeg * RADIANS);
}

export function northM(fromLatDeg: number, toLatDeg: number): number {
  return (toLatDeg - fromLatDeg) * RADIANS * EARTH_RADIUS_M;
}

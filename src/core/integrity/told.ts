/** What one aircraft told of itself at one time; who looks at it keeps no hold of it, since one is filled for all. Times are the world's, in seconds; NaN is what it did not tell. */
export type Told = {
  /** When it was heard. */
  heardS: number;
  /** What its own clock said. */
  sourceS: number;
  /** When its place is judged to hold. */
  timeS: number;
  latDeg: number;
  lonDeg: number;
  /** In whatever datum it tells heights; only compared with itself. */
  heightM: number;
  speedMps: number;
  /** NaN where it told no course to its speed. */
  eastMps: number;
  northMps: number;
  climbMps: number;
  /** How well it says to know its place. */
  sigmaM: number;
  /** Its word that it flies or stands on the ground; null where it says neither. */
  airborne: boolean | null;
  operatorLatDeg: number;
  operatorLonDeg: number;
};

const EARTH_RADIUS_M = 6_371_008.8;
const RADIANS = Math.PI / 180;

/** Along a great circle; within half a percent of the true distance, as near as any rule here looks. */
export function apartM(latDeg: number, lonDeg: number, otherLatDeg: number, otherLonDeg: number): number {
  const north = Math.sin(((otherLatDeg - latDeg) * RADIANS) / 2);
  const east = Math.sin(((otherLonDeg - lonDeg) * RADIANS) / 2);
  const square = north * north + Math.cos(latDeg * RADIANS) * Math.cos(otherLatDeg * RADIANS) * east * east;
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(square)));
}

/** Metres east for a difference of longitudes in a middle latitude; not nearer than some kilometres to a pole. */
export function eastM(fromLonDeg: number, toLonDeg: number, latDeg: number): number {
  const turnDeg = toLonDeg - fromLonDeg;
  const lonDeg = turnDeg > 180 ? turnDeg - 360 : turnDeg < -180 ? turnDeg + 360 : turnDeg;
  return lonDeg * RADIANS * EARTH_RADIUS_M * Math.cos(latDeg * RADIANS);
}

export function northM(fromLatDeg: number, toLatDeg: number): number {
  return (toLatDeg - fromLatDeg) * RADIANS * EARTH_RADIUS_M;
}

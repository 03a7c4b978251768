/** What one aircraft told of itself at one time. Times are the world's, in seconds; NaN is what it did not tell. */
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
  courseDeg: number;
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

/** East and north from one place to another some hundred metres away; not nearer than some kilometres to a pole. */
export function stepM(from: Told, to: Told): { eastM: number; northM: number } {
  const turnDeg = to.lonDeg - from.lonDeg;
  const lonDeg = turnDeg > 180 ? turnDeg - 360 : turnDeg < -180 ? turnDeg + 360 : turnDeg;
  const middleDeg = (from.latDeg + to.latDeg) / 2;
  return {
    eastM: lonDeg * RADIANS * EARTH_RADIUS_M * Math.cos(middleDeg * RADIANS),
    northM: (to.latDeg - from.latDeg) * RADIANS * EARTH_RADIUS_M,
  };
}

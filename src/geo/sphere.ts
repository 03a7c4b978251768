import type { Ecef, LatLon } from './position.ts';

const EARTH_M = 6_371_008.8;
const RADIAN = Math.PI / 180;

/**
 * Great-circle distance, m (haversine, mean radius), within 0.6 % of the distance on the ellipsoid. NaN if a
 * coordinate is unknown.
 */
export function metresApart(a: LatLon, b: LatLon): number {
  const up = Math.sin(((b.latDeg - a.latDeg) * RADIAN) / 2);
  const across = Math.sin(((b.lonDeg - a.lonDeg) * RADIAN) / 2);
  const square = up * up + Math.cos(a.latDeg * RADIAN) * Math.cos(b.latDeg * RADIAN) * across * across;
  return 2 * EARTH_M * Math.asin(Math.min(1, Math.sqrt(square)));
}

/**
 * Whether two positions are within `m` metres along the ground. Compares latitudes first, which is cheap and excludes
 * most distant pairs.
 */
export function areWithin(a: LatLon, b: LatLon, m: number): boolean {
  return Math.abs(a.latDeg - b.latDeg) * RADIAN * EARTH_M <= m && metresApart(a, b) <= m;
}

/** Converts a position to a point on the sphere: distances between such points are cheap to compute. */
export function ecefOf({ latDeg, lonDeg }: LatLon): Ecef {
  const out = EARTH_M * Math.cos(latDeg * RADIAN);
  const [xM, yM] = [out * Math.cos(lonDeg * RADIAN), out * Math.sin(lonDeg * RADIAN)];
  return { xM, yM, zM: EARTH_M * Math.sin(latDeg * RADIAN) };
}

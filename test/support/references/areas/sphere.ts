import type { Position } from '../../../../src/model/geometry.ts';
import type { Place } from '../../basics/place.ts';

/** Reference for native/areas/earth.h: verticals, and paths between them along great circles. */
export type Vector = readonly [number, number, number];

const degree = Math.PI / 180;

export const placeOf = ([lon, lat]: Position): Place => ({ lat, lon });

export function upOf({ lat, lon }: Place): Vector {
  const [a, b] = [lat * degree, lon * degree];
  return [Math.cos(a) * Math.cos(b), Math.cos(a) * Math.sin(b), Math.sin(a)];
}

export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Radians between two verticals, as exact near 0 as elsewhere. */
export function angleBetween(a: Vector, b: Vector): number {
  return Math.atan2(Math.hypot(...cross(a, b)), dot(a, b));
}

/** The place at a share of the way. */
export function wayPoint(a: Vector, b: Vector, share: number): Place {
  const angle = angleBetween(a, b);
  if (angle < 1e-14) return placeOfUp(a);
  const [wa, wb] = [Math.sin((1 - share) * angle), Math.sin(share * angle)];
  return placeOfUp([a[0] * wa + b[0] * wb, a[1] * wa + b[1] * wb, a[2] * wa + b[2] * wb]);
}

function placeOfUp([x, y, z]: Vector): Place {
  return { lat: Math.atan2(z, Math.hypot(x, y)) / degree, lon: Math.atan2(y, x) / degree };
}

/** How often a ring runs round a place: the sum of the turns from corner to corner as they are seen from there. */
export function windingAbout(place: Place, ring: readonly Vector[]): number {
  const [lat, lon] = [place.lat * degree, place.lon * degree];
  const east: Vector = [-Math.sin(lon), Math.cos(lon), 0];
  const north: Vector = [-Math.sin(lat) * Math.cos(lon), -Math.sin(lat) * Math.sin(lon), Math.cos(lat)];
  let [sum, before] = [0, Number.NaN];
  for (const up of ring) {
    const azimuth = Math.atan2(dot(up, east), dot(up, north));
    if (!Number.isNaN(before)) sum += Math.atan2(Math.sin(azimuth - before), Math.cos(azimuth - before));
    before = azimuth;
  }
  return Math.round(sum / (2 * Math.PI));
}

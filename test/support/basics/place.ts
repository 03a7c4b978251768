import geodesic from 'geographiclib-geodesic';
import type { LatLon } from '../../../src/geo/position.ts';

const earth = geodesic.Geodesic.WGS84;

/** A place as documents have it. */
export type Place = { lat: number; lon: number };

/** The place so many metres from another, on the ellipsoid. */
export function placeAt(from: Place, azimuthDeg: number, metres: number): Place {
  const { lat2, lon2 } = earth.Direct(from.lat, from.lon, azimuthDeg, metres);
  return { lat: lat2 ?? Number.NaN, lon: lon2 ?? Number.NaN };
}

/** Metres between two places, along the ellipsoid. */
export function metresBetween(a: Place, b: Place): number {
  return earth.Inverse(a.lat, a.lon, b.lat, b.lon).s12 ?? Number.NaN;
}

export function latLonOf({ lat, lon }: Place): LatLon {
  return { latDeg: lat, lonDeg: lon };
}

/** `placeAt` and `metresBetween` of positions as the program has them. */
export function positionAt({ latDeg, lonDeg }: LatLon, azimuthDeg: number, metres: number): LatLon {
  return latLonOf(placeAt({ lat: latDeg, lon: lonDeg }, azimuthDeg, metres));
}

export function metresApart(a: LatLon, b: LatLon): number {
  return metresBetween({ lat: a.latDeg, lon: a.lonDeg }, { lat: b.latDeg, lon: b.lonDeg });
}

import geodesic from 'geographiclib-geodesic';

const earth = geodesic.Geodesic.WGS84;

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

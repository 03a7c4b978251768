import type { NearFact, TrackFacts } from './facts.ts';

const EARTH_M = 6_371_008.8;
const RADIAN = Math.PI / 180;

/** Metres along the ground between two places, on a sphere: half a percent off at most. NaN where one is not known. */
export function metresApart(a: { lat: number; lon: number }, b: { lat: number; lon: number }): number {
  const up = Math.sin(((b.lat - a.lat) * RADIAN) / 2);
  const across = Math.sin(((b.lon - a.lon) * RADIAN) / 2);
  const square = up * up + Math.cos(a.lat * RADIAN) * Math.cos(b.lat * RADIAN) * across * across;
  return 2 * EARTH_M * Math.asin(Math.min(1, Math.sqrt(square)));
}

/** Whether two places are within so far along the ground; far ones are told apart by their latitudes alone. */
export function areWithin(a: { lat: number; lon: number }, b: { lat: number; lon: number }, m: number): boolean {
  return Math.abs(a.lat - b.lat) * RADIAN * EARTH_M <= m && metresApart(a, b) <= m;
}

/** Where a place lies in a sphere's own axes, metres: how far two are apart is then cheap to tell. */
export function chordPlace({ lat, lon }: { lat: number; lon: number }): readonly [number, number, number] {
  const out = EARTH_M * Math.cos(lat * RADIAN);
  return [out * Math.cos(lon * RADIAN), out * Math.sin(lon * RADIAN), EARTH_M * Math.sin(lat * RADIAN)];
}

/** The nearest vehicle of ours within so far, itself aside. */
export function nearestOurs({ near }: TrackFacts, withinM: number): NearFact | null {
  let nearest: NearFact | null = null;
  for (const one of near) {
    if (one.assetName === null || !(one.distanceM <= withinM)) continue;
    if (nearest === null || one.distanceM < nearest.distanceM) nearest = one;
  }
  return nearest;
}

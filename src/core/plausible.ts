import { OBSERVED, OBSERVED_KIND } from '../model/observation_row.ts';
import type { Place } from './settings.ts';

/** Whether the site's axes can stand there. */
export function isPlace({ latDeg, lonDeg, altHaeM }: Place): boolean {
  return Math.abs(latDeg) <= 90 && Math.abs(lonDeg) <= 360 && Math.abs(altHaeM) <= 1e6;
}

/** Whether the tracker will take it: nobody becomes known by what is thrown away. */
export function isSane(rows: Float64Array, at: number): boolean {
  const kind = rows[at + OBSERVED.kind];
  return kind === OBSERVED_KIND.word || (kind === OBSERVED_KIND.position && isOnEarth(rows, at));
}

/** Whether the place of a row is one. */
export function isOnEarth(rows: Float64Array, at: number): boolean {
  const lat = Math.abs(rows[at + OBSERVED.a] ?? Number.NaN);
  const lon = Math.abs(rows[at + OBSERVED.b] ?? Number.NaN);
  return lat <= 90 && lon <= 360;
}

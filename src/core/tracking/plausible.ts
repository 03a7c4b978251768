import type { Geodetic } from '../../geo/position.ts';
import { OBSERVED, OBSERVED_KIND } from '../../model/rows/layouts.ts';

/** Whether a position is valid as the origin of the site's axes. */
export function isPlace({ latDeg, lonDeg, altHaeM }: Geodetic): boolean {
  return Math.abs(latDeg) <= 90 && Math.abs(lonDeg) <= 360 && Math.abs(altHaeM) <= 1e6;
}

/**
 * Whether the row at index `at` is a sign of life (`word`), or a position that the tracker will accept. Only such a row
 * may register an identity.
 */
export function isSane(rows: Float64Array, at: number): boolean {
  const kind = rows[at + OBSERVED.kind];
  return kind === OBSERVED_KIND.word || (kind === OBSERVED_KIND.position && isOnEarth(rows, at));
}

/** Whether latitude and longitude of the row at index `at` are in their valid ranges. */
export function isOnEarth(rows: Float64Array, at: number): boolean {
  const lat = Math.abs(rows[at + OBSERVED.azimuthOrLatDeg] ?? Number.NaN);
  const lon = Math.abs(rows[at + OBSERVED.elevationOrLonDeg] ?? Number.NaN);
  return lat <= 90 && lon <= 360;
}

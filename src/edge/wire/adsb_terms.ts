import type { Classification } from '../../model/observation.ts';

/**
 * Radius around the reported position that contains the true one with a probability of 95 %, m, by NACp (DO-260B
 * table 2-14).
 */
const RADIUS_95_M = [null, 18_520, 7_408, 3_704, 1_852, 926, 555.6, 185.2, 92.6, 30, 10, 3] as const;
/** Ratio of the 95 % radius to the standard deviation of one axis, for equal errors in both axes. */
const SIGMAS_IN_RADIUS = 2.448;

/** Standard deviation of a position for its NACp, m; null if it is unknown. */
export function sigmaOfNacp(nacp: number | null): number | null {
  return sigmaOfRadius(nacp === null ? null : (RADIUS_95_M[nacp] ?? null));
}

export function sigmaOfRadius(radiusM: number | null): number | null {
  return radiusM === null ? null : radiusM / SIGMAS_IN_RADIUS;
}

/**
 * Classes of emitter categories (DO-260B table 2-17), except those of ordinary crewed aircraft. B6 is an unmanned
 * aircraft.
 */
const emitters: Readonly<Record<string, Classification['type']>> = {
  A7: 'helicopter',
  B1: 'glider',
  B2: 'balloon',
  B3: 'person',
  B4: 'glider',
  B6: 'other',
  C1: 'vehicle',
  C2: 'vehicle',
  C3: 'vehicle',
};

/** Class of an emitter category; null for a category without information and for ordinary crewed aircraft. */
export function emitterOf(category: string | null): Classification['type'] | null {
  return category === null ? null : (emitters[category] ?? null);
}

import type { Classification } from '../../model/observation.ts';

/**
 * Radius in m for each NACp, the accuracy category of a position (RTCA DO-260B). The true position is within it
 * with a probability of 95 %.
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
 * Object class of each emitter category (RTCA DO-260B). The categories of ordinary crewed aircraft are absent. B6
 * is an unmanned aircraft.
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

/** Class of an emitter category; null for a category that `emitters` lacks, such as ordinary crewed aircraft. */
export function emitterOf(category: string | null): Classification['type'] | null {
  return category === null ? null : (emitters[category] ?? null);
}

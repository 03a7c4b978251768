import type { Geodetic } from '../../../geo/position.ts';
import type { Task } from '../../../model/task.ts';

/** Present state of the steered vehicle. */
export type Vehicle = {
  position: Geodetic;
  velocity: { eastMps: number; northMps: number };
  cruiseMps: number;
  /** Greatest speed by the vehicle's performance data and by policy, m/s. */
  maxMps: number;
  /** Least speed, m/s; 0 for a vehicle that can hover. */
  minMps: number;
};

/** Bank angle of a vehicle that cannot hover, which sets the radius of its holding circle, degrees. */
const BANK_DEG = 25;
const GRAVITY_MPS2 = 9.81;
const LEAST_CIRCLE_M = 40;

/** Returns the radius of the circle that a vehicle flies instead of hovering, m; 0 for a vehicle that can hover. */
export function circleOf({ minMps, cruiseMps }: Vehicle): number {
  if (minMps <= 0) return 0;
  const speedMps = Math.max(cruiseMps, minMps);
  return Math.max(LEAST_CIRCLE_M, speedMps ** 2 / (GRAVITY_MPS2 * Math.tan((BANK_DEG * Math.PI) / 180)));
}

/** Next point of a vehicle. A new point is computed about each second. */
export type Step = {
  point: Geodetic;
  /** Speed, m/s; null for the cruise speed. */
  speedMps: number | null;
  phase: Extract<Task['phase'], 'going' | 'on_station' | 'giving_way'>;
  /** Present distance to the target, m; in space if both heights are known. */
  distanceM: number;
  /**
   * Time until the vehicle is on station, s; null if it gives way, waits, or never arrives at the present velocities.
   */
  etaS: number | null;
  /** The target is inside the standoff. */
  breach: boolean;
};

/** Limits of a step. Heights are m above the ellipsoid; an absent height is no limit. */
export type Bounds = {
  lowestHaeM?: number;
  highestHaeM?: number;
  /**
   * True if the check of legs (`legBlocked`) permits the straight path to a point. If several paths are possible, the
   * first permitted one is taken.
   */
  isFree?: (to: Geodetic) => boolean;
};

export function heightWithin(altHaeM: number, { lowestHaeM, highestHaeM }: Bounds): number {
  return Math.max(lowestHaeM ?? Number.NEGATIVE_INFINITY, Math.min(highestHaeM ?? Number.POSITIVE_INFINITY, altHaeM));
}

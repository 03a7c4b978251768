import type { FlightLimits } from '../flight/limits.ts';

/** The least circle that is flown where none is told (WP_LOITER_RAD of ArduPlane is 60 m, NAV_LOITER_RAD of PX4 80 m). */
const LEAST_RADIUS_M = 80;

/** How fast wings turn at an airspeed, radians a second. */
export function turnRate({ turnRadS, acrossMps2 }: FlightLimits, airMps: number): number {
  return Math.min(turnRadS, acrossMps2 / Math.max(airMps, 1));
}

/** The circle that wings fly where they are told none: one that they can turn in some wind. */
export function usualRadiusM(limits: FlightLimits, airMps: number): number {
  if (limits.hovers) return LEAST_RADIUS_M;
  return Math.max(LEAST_RADIUS_M, (1.5 * airMps) / turnRate(limits, airMps));
}

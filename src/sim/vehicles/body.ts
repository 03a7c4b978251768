import type { ChartPosition } from '../../geo/position.ts';
import type { FlightLimits } from '../aircraft/flight/limits.ts';

/** Position and motion over the ground of a simulated vehicle. `headingRad` is clockwise from north. */
export type Body = ChartPosition & {
  eastMps: number;
  northMps: number;
  upMps: number;
  headingRad: number;
  /** Airspeed, m/s; used for fixed-wing aircraft only. */
  airMps: number;
};

/** Parameters of a flight step: limits, home, and the currently ordered speed. */
export type Flown = { limits: FlightLimits; home: ChartPosition; speedMps: number };

/**
 * The current manoeuvre. After completion it stays current until the next is ordered; a completed take-off becomes a
 * hold.
 */
export type Manoeuvre =
  /** Stops and stays. Fixed-wing aircraft circle `at` instead. */
  | { kind: 'hold'; heightM: number; at: ChartPosition | null }
  /** Flies to a place. Fixed-wing aircraft then circle it. */
  | { kind: 'goto'; to: ChartPosition; radiusM: number; clockwise: boolean }
  | { kind: 'circle'; middle: ChartPosition; radiusM: number; clockwise: boolean }
  | { kind: 'takeoff'; heightM: number; waitS: number }
  /** Returns home at height `overM`, then descends. A fixed-wing aircraft circles there unless `lands` is true. */
  | { kind: 'return'; overM: number; arrived: boolean; lands: boolean }
  | { kind: 'land'; at: ChartPosition | null };

export const apartM = (a: ChartPosition, b: ChartPosition): number =>
  Math.hypot(a.eastM - b.eastM, a.northM - b.northM);

export const groundMps = ({ eastMps, northMps }: Body): number => Math.hypot(eastMps, northMps);

/** Changes the vertical speed towards the wanted one, by at most 2.5 m/s². */
export function lift(body: Body, wantedMps: number, dtS: number): void {
  const most = 2.5 * dtS;
  body.upMps += Math.max(-most, Math.min(most, wantedMps - body.upMps));
}

/** Returns the vertical speed that reaches a height and stops there, m/s. */
export function levelTo(body: Body, heightM: number, { climbMps, descentMps }: FlightLimits): number {
  const leftM = heightM - body.heightM;
  const most = leftM > 0 ? climbMps : descentMps;
  return Math.sign(leftM) * Math.min(most, Math.abs(leftM), Math.sqrt(3 * Math.abs(leftM)));
}

const FINAL_M = 8;
const FINAL_MPS = 0.7;

/** Returns the vertical speed of a landing, m/s (negative). It is reduced in time to be slow for the last metres. */
export function downTo({ heightM }: Body, descentMps: number): number {
  const leftM = Math.max(0, heightM - FINAL_M);
  return -Math.min(descentMps, Math.sqrt(FINAL_MPS ** 2 + 2 * leftM));
}

/** Smallest default radius of a circle, m (WP_LOITER_RAD of ArduPlane is 60 m, NAV_LOITER_RAD of PX4 80 m). */
const LEAST_RADIUS_M = 80;

/** Returns the turn rate of a fixed-wing aircraft at an airspeed, rad/s. */
export function turnRate({ turnRadS, acrossMps2 }: FlightLimits, airMps: number): number {
  return Math.min(turnRadS, acrossMps2 / Math.max(airMps, 1));
}

/** Returns the default radius of a circle, m. It is large enough for fixed-wing aircraft to fly it in some wind. */
export function usualRadiusM(limits: FlightLimits, airMps: number): number {
  if (limits.hovers) return LEAST_RADIUS_M;
  return Math.max(LEAST_RADIUS_M, (1.5 * airMps) / turnRate(limits, airMps));
}

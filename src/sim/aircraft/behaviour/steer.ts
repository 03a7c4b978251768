import { type Air, GROUNDED } from '../flight/air.ts';
import type { FlightLimits } from '../flight/limits.ts';

/** Wished climb rate per metre of missing height, 1/s. `PLACE_GAIN` is the wished speed per metre of distance, 1/s. */
const HEIGHT_GAIN = 0.5;
const PLACE_GAIN = 0.8;
/** Planned stops use this share of the greatest deceleration. */
const BRAKING = 0.5;
/** Height that a hovering aircraft reaches by a vertical climb before it moves horizontally, m. */
const CLEAR_OF_GROUND_M = 3;
/** Share of the turning ability that a planned circle uses. The rest is left for corrections. */
const CIRCLING = 0.7;
/**
 * Distance between an aircraft and the circle that it will fly, as a share of the circle's radius. Beyond this distance
 * the aircraft flies straight at the circle. Within it, the aircraft approaches the circle at an angle.
 */
const SLANT = 0.5;

export const limitsAt = (air: Air, i: number): FlightLimits => air.limits[i] as FlightLimits;

export function toHeight(air: Air, i: number, heightM: number): void {
  const missing = heightM - (air.heightM[i] as number);
  air.wishClimbMps[i] = air.state[i] === GROUNDED && missing < CLEAR_OF_GROUND_M / 2 ? 0 : missing * HEIGHT_GAIN;
}

/** Flies to a place that may move. Hovering aircraft slow down near it and stop there. Returns the distance, m. */
export function toPlace(
  air: Air,
  i: number,
  eastM: number,
  northM: number,
  speedMps: number,
  ofEastMps = 0,
  ofNorthMps = 0,
): number {
  const [east, north] = [eastM - (air.eastM[i] as number), northM - (air.northM[i] as number)];
  const off = Math.sqrt(east * east + north * north);
  const { hovers, accelMps2 } = limitsAt(air, i);
  let speed = speedMps;
  if (hovers) {
    speed = Math.min(speed, PLACE_GAIN * off, Math.sqrt(2 * BRAKING * accelMps2 * off));
    if (isLow(air, i)) speed = 0;
  }
  const share = off > 1e-6 ? speed / off : 0;
  air.wishEastMps[i] = east * share + ofEastMps;
  air.wishNorthMps[i] = north * share + ofNorthMps;
  return off;
}

function isLow(air: Air, i: number): boolean {
  return (air.heightM[i] as number) < CLEAR_OF_GROUND_M && (air.wishClimbMps[i] as number) > 0;
}

/** Returns the radius of the tightest circle that is planned at a speed, m. */
export function tightestM({ turnRadS, acrossMps2 }: FlightLimits, speedMps: number): number {
  return Math.max((speedMps * speedMps) / (acrossMps2 * CIRCLING), speedMps / (turnRadS * CIRCLING));
}

/**
 * Limits the speed of a hovering aircraft to one that is possible on a circle of this radius. The speed of a fixed-wing
 * aircraft is only raised to its minimum speed.
 */
function circlingSpeed(limits: FlightLimits, radiusM: number, speedMps: number): number {
  if (!limits.hovers) return Math.max(speedMps, limits.minMps);
  return Math.min(speedMps, Math.sqrt(limits.accelMps2 * CIRCLING * radiusM), limits.turnRadS * CIRCLING * radiusM);
}

/** Circles a place that may move; `sense` is 1 for clockwise, −1 for anticlockwise. */
export function round(
  air: Air,
  i: number,
  eastM: number,
  northM: number,
  radiusM: number,
  speedMps: number,
  sense: 1 | -1,
  ofEastMps = 0,
  ofNorthMps = 0,
): void {
  const [east, north] = [(air.eastM[i] as number) - eastM, (air.northM[i] as number) - northM];
  const off = Math.max(Math.sqrt(east * east + north * north), 1e-6);
  const [outEast, outNorth] = off > 1e-5 ? [east / off, north / off] : [0, 1];
  const inward = Math.min(Math.max((off - radiusM) / (radiusM * SLANT), -1), 1);
  const along = Math.sqrt(1 - inward * inward) * sense;
  const speed = circlingSpeed(limitsAt(air, i), radiusM, speedMps);
  air.wishEastMps[i] = speed * (outNorth * along - outEast * inward) + ofEastMps;
  air.wishNorthMps[i] = speed * (-outEast * along - outNorth * inward) + ofNorthMps;
}

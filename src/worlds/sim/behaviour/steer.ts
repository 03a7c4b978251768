import { type Air, GROUNDED } from '../flight/air.ts';
import type { FlightLimits } from '../flight/limits.ts';

/** Of what is missing to the height, how much is made good in a second. */
const HEIGHT_GAIN = 0.5;
const PLACE_GAIN = 0.8;
/** Of what it could brake with, what it counts on. */
const BRAKING = 0.5;
/** What starts on the ground goes up before it goes anywhere. */
const CLEAR_OF_GROUND_M = 3;
/** Circles no tighter than lets it correct them. */
const CIRCLING = 0.7;
/** How far off a circle, of its radius, it still comes in at a slant. */
const SLANT = 0.5;

export const limitsAt = (air: Air, i: number): FlightLimits => air.limits[i] as FlightLimits;

export function toHeight(air: Air, i: number, heightM: number): void {
  const missing = heightM - (air.heightM[i] as number);
  air.wishClimbMps[i] = air.state[i] === GROUNDED && missing < CLEAR_OF_GROUND_M / 2 ? 0 : missing * HEIGHT_GAIN;
}

/** Towards a place that moves itself, faster the further it is off; what hovers comes to a stop there. */
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

/** The smallest circle that it can fly at a speed, m. */
export function tightestM({ turnRadS, acrossMps2 }: FlightLimits, speedMps: number): number {
  return Math.max((speedMps * speedMps) / (acrossMps2 * CIRCLING), speedMps / (turnRadS * CIRCLING));
}

/** No faster than it can fly a circle of this radius; wings have a least speed all the same. */
export function circlingSpeed(limits: FlightLimits, radiusM: number, speedMps: number): number {
  if (!limits.hovers) return Math.max(speedMps, limits.minMps);
  return Math.min(speedMps, Math.sqrt(limits.accelMps2 * CIRCLING * radiusM), limits.turnRadS * CIRCLING * radiusM);
}

/** Round a place that moves itself; `sense` 1 is clockwise, −1 the other way. */
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

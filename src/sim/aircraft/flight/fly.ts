import { type Air, FLYING, GROUNDED } from './air.ts';
import type { FlightLimits } from './limits.ts';
import type { Weather } from './wind.ts';

/** Greatest vertical acceleration, m/s². */
const VERTICAL_MPS2 = 2.5;
/** Speed below which a hovering aircraft turns on the spot, m/s. */
const TURNS_FREELY_MPS = 2;
/** Smallest wished climb rate that starts a take-off, m/s. */
const LIFT_OFF_MPS = 0.1;

/**
 * Moves all flying bodies, except those of autopilots, by one step, towards their wished velocities and within their
 * limits.
 */
export function fly(air: Air, weather: Weather, stepS: number, atS: number): void {
  for (let i = 0; i < air.count; i++) {
    if (air.flown[i] === 0) continue;
    if (air.state[i] === GROUNDED) liftOff(air, i);
    if (air.state[i] !== FLYING) continue;
    const limits = air.limits[i] as FlightLimits;
    // The pilot corrects for the wind, but not for gusts.
    const east = (air.wishEastMps[i] as number) - weather.eastMps;
    const north = (air.wishNorthMps[i] as number) - weather.northMps;
    if (limits.hovers) hover(air, i, limits, east, north, stepS);
    else bank(air, i, limits, east, north, stepS);
    climb(air, i, limits, stepS);
    air.eastMps[i] = (air.airEastMps[i] as number) + weather.eastMps + (air.gustEastMps[i] as number);
    air.northMps[i] = (air.airNorthMps[i] as number) + weather.northMps + (air.gustNorthMps[i] as number);
    move(air, i, stepS, atS);
  }
}

/**
 * Changes the airspeed of a hovering aircraft. Below `TURNS_FREELY_MPS` it accelerates in any direction; above, its
 * turn rate is limited too.
 */
function hover(air: Air, i: number, limits: FlightLimits, wishEast: number, wishNorth: number, stepS: number): void {
  const east = air.airEastMps[i] as number;
  const north = air.airNorthMps[i] as number;
  const wish = Math.sqrt(wishEast * wishEast + wishNorth * wishNorth);
  const held = wish > limits.maxMps ? limits.maxMps / wish : 1;
  const [moreEast, moreNorth] = [wishEast * held - east, wishNorth * held - north];
  const change = Math.sqrt(moreEast * moreEast + moreNorth * moreNorth);
  const most = limits.accelMps2 * stepS;
  const share = change > most ? most / change : 1;
  const [toEast, toNorth] = [east + moreEast * share, north + moreNorth * share];
  const slower = Math.min(east * east + north * north, toEast * toEast + toNorth * toNorth);
  if (slower < TURNS_FREELY_MPS ** 2) {
    air.airEastMps[i] = toEast;
    air.airNorthMps[i] = toNorth;
    return;
  }
  const course = Math.atan2(east, north);
  const turn = turned(Math.atan2(toEast, toNorth) - course, limits.turnRadS * stepS);
  const speed = Math.sqrt(toEast * toEast + toNorth * toNorth);
  air.airEastMps[i] = speed * Math.sin(course + turn);
  air.airNorthMps[i] = speed * Math.cos(course + turn);
}

/**
 * Changes the airspeed of a fixed-wing aircraft, which flies ahead and turns within its limits of bank and turn rate.
 */
function bank(air: Air, i: number, limits: FlightLimits, wishEast: number, wishNorth: number, stepS: number): void {
  const east = air.airEastMps[i] as number;
  const north = air.airNorthMps[i] as number;
  const speed = Math.sqrt(east * east + north * north);
  const wish = Math.sqrt(wishEast * wishEast + wishNorth * wishNorth);
  const goal = Math.min(Math.max(wish, limits.minMps), limits.maxMps);
  const most = limits.accelMps2 * stepS;
  const next = Math.max(speed + Math.min(Math.max(goal - speed, -most), most), limits.minMps);
  const course = Math.atan2(east, north);
  const rate = Math.min(limits.turnRadS, limits.acrossMps2 / Math.max(next, 1));
  const turn = wish < 0.1 ? 0 : turned(Math.atan2(wishEast, wishNorth) - course, rate * stepS);
  air.airEastMps[i] = next * Math.sin(course + turn);
  air.airNorthMps[i] = next * Math.cos(course + turn);
}

/** Returns the turn that changes a course by `angle` in the shorter direction, rad, limited to `most`. */
function turned(angle: number, most: number): number {
  const wrapped = angle > Math.PI ? angle - 2 * Math.PI : angle < -Math.PI ? angle + 2 * Math.PI : angle;
  return Math.min(Math.max(wrapped, -most), most);
}

function climb(air: Air, i: number, limits: FlightLimits, stepS: number): void {
  const wish = Math.min(Math.max(air.wishClimbMps[i] as number, -limits.descentMps), limits.climbMps);
  const now = air.climbMps[i] as number;
  const most = VERTICAL_MPS2 * stepS;
  air.climbMps[i] = now + Math.min(Math.max(wish - now, -most), most);
}

function move(air: Air, i: number, stepS: number, atS: number): void {
  air.eastM[i] = (air.eastM[i] as number) + (air.eastMps[i] as number) * stepS;
  air.northM[i] = (air.northM[i] as number) + (air.northMps[i] as number) * stepS;
  air.flownS[i] = (air.flownS[i] as number) + stepS;
  const height = (air.heightM[i] as number) + (air.climbMps[i] as number) * stepS;
  air.heightM[i] = Math.max(0, height);
  if (height > 0 || (air.climbMps[i] as number) > 0) return;
  if ((air.wishClimbMps[i] as number) < 0) standStill(air, i, atS);
  else air.climbMps[i] = 0;
}

/** Stops a body and marks it as grounded. Its height stays. */
export function standStill(air: Air, i: number, atS: number): void {
  air.state[i] = GROUNDED;
  air.landedS[i] = atS;
  air.eastMps[i] = air.northMps[i] = air.climbMps[i] = 0;
  air.airEastMps[i] = air.airNorthMps[i] = 0;
}

function liftOff(air: Air, i: number): void {
  if ((air.wishClimbMps[i] as number) < LIFT_OFF_MPS) return;
  air.state[i] = FLYING;
  const { hovers, minMps } = air.limits[i] as FlightLimits;
  if (!hovers) head(air, i, air.wishEastMps[i] as number, air.wishNorthMps[i] as number, minMps);
}

/**
 * Makes a body appear in flight, at its wished speed but at most its cruise speed. Fixed-wing aircraft appear at their
 * cruise speed.
 */
export function enter(air: Air, i: number, weather: Weather): void {
  air.state[i] = FLYING;
  const { hovers, cruiseMps } = air.limits[i] as FlightLimits;
  const east = (air.wishEastMps[i] as number) - weather.eastMps;
  const north = (air.wishNorthMps[i] as number) - weather.northMps;
  head(air, i, east, north, hovers ? Math.min(Math.sqrt(east * east + north * north), cruiseMps) : cruiseMps);
  air.eastMps[i] = (air.airEastMps[i] as number) + weather.eastMps;
  air.northMps[i] = (air.airNorthMps[i] as number) + weather.northMps;
}

function head(air: Air, i: number, east: number, north: number, speedMps: number): void {
  const course = Math.atan2(east, north);
  air.airEastMps[i] = speedMps * Math.sin(course);
  air.airNorthMps[i] = speedMps * Math.cos(course);
}

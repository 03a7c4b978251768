import { Chart } from '../../../geo/flat/chart.ts';
import type { Spot } from '../../../geo/position.ts';
import { type Path, pathAt, pathOn } from '../../safety/path.ts';
import { STANDOFF_AHEAD_S } from '../../safety/standoff.ts';
import { Clearance } from './clearance.ts';
import { BRAKING_MPS2, type Closing, nearestIfItTurns, SPARE_M } from './closing.ts';
import { directionOf, lengthOf, opposite, plus, turned, turnTo } from './spot.ts';
import { type Bounds, circleOf, heightWithin, type Step, type Vehicle } from './vehicle.ts';

/** Shortest flight time to a point of retreat, s, so that the vehicle does not slow down before that point. */
const AHEAD_S = 4;
/** Directions of retreat, rad: from straight away from the track (0) to straight aside (90°). */
const TURNS = [0, 15, 30, 45, 60, 75, 90].map((deg) => (deg * Math.PI) / 180);

type Fleeing = {
  velocity: Spot;
  /** Velocity of the approaching object. */
  theirs: Spot;
  closing: Closing;
};

/**
 * Returns the point to which a vehicle gives way. It prefers points beside the course of the closing track, on the side
 * of the vehicle, that keep the standoff even if the track turns. Flying straight away would stay on the track's
 * course; flying aside could let the track close in.
 */
function giveWay(clearance: Clearance, fleeing: Fleeing, isFree: (to: Spot) => boolean): Spot {
  const { velocity, theirs, closing } = fleeing;
  const [now = [0, 0] as Spot] = clearance.ahead;
  const course = directionOf(theirs, directionOf(velocity));
  const out = directionOf(opposite(now), turned(course, Math.PI / 2));
  const off = turnTo(course, out);
  const side = Math.abs(off) > 0.02 ? Math.sign(off) : Math.sign(turnTo(course, velocity)) || 1;
  const shortM = AHEAD_S * closing.maxMps;
  const longM = [shortM, shortM + clearance.standoffM, shortM + 10 * lengthOf(theirs) + clearance.standoffM];
  const safe = TURNS.filter((turn) => isKept(clearance, closing, shortM, turn)).reverse();
  const sides = [
    ...safe.map((turn) => side * turn),
    ...safe.map((turn) => -side * turn),
    0,
    ...TURNS,
    ...TURNS.map((turn) => -turn),
  ];
  const away = longM
    .flatMap((far) => sides.map((turn) => plus([0, 0], turned(out, turn), far)))
    .filter((to) => clearance.allows(to));
  return away.find(isFree) ?? away[0] ?? plus([0, 0], out, shortM);
}

function isKept({ standoffM }: Clearance, closing: Closing, farM: number, turn: number): boolean {
  const outward = Math.cos(turn);
  return nearestIfItTurns(closing, farM * outward, closing.maxMps * outward) >= standoffM + SPARE_M;
}

export type Following = Bounds & { standoffM: number; heightOffsetM?: number };

/**
 * Time until the vehicle reacts to a track that turns towards it, s; longer for a vehicle that circles. The vehicle's
 * station beside the track is farther than the standoff by the distance that the track flies in this time.
 */
const REACTION_S = 1.5;
/**
 * Spare distance for rounding, m. An order to a vehicle rounds its position to 1 cm. The leg to the rounded position must
 * still pass the check of legs (`legRefusal`).
 */
const ROUNDING_M = 1;
const LEAST_ROOM_M = 15;
/** Time ahead over which the track's velocity is computed from its expected path, s. */
const VELOCITY_S = 1.5;
/**
 * Lead of the ordered point, s. The point is where the vehicle's station beside the track will be after this time. For
 * a vehicle that can hover, the braking time is added, because it brakes for every point.
 */
const LEAD_S = 1;
/**
 * Alternatives to a point that is too near to the track: points at these shares of the way to that point (`SHARES`),
 * and points that are farther out by `OUTWARD_M`, m.
 */
const SHARES = [0.8, 0.6, 0.45, 0.3, 0.2, 0.1, 0.05];
const OUTWARD_M = [5, 10, 15, 20, 30, 40, 60, 80, 120];
/** Situation of a vehicle that follows a track, on a chart (local plane) with the vehicle at the origin. */
export type View = {
  chart: Chart;
  vehicle: Vehicle;
  clearance: Clearance;
  now: Spot;
  lead: Spot;
  velocity: Spot;
  own: Spot;
  closing: Closing;
  roomM: number;
  isFree: (to: Spot) => boolean;
  /** True if the straight path to a point keeps the standoff to the followed track, and `isFree` permits it. */
  allows: (to: Spot) => boolean;
  /** `measured`: fields of every step. `heightM`: height of the steps that follow the track, m above the ellipsoid. */
  measured: Pick<Step, 'distanceM' | 'breach'>;
  heightM: number;
};

export function viewOf(vehicle: Vehicle, course: Path, settings: Following): View {
  const { altHaeM } = vehicle.position;
  const chart = new Chart(vehicle.position, altHaeM);
  const spots = pathOn(course, chart, 0, STANDOFF_AHEAD_S).map(({ at }): Spot => [at[0], at[1]]);
  const now = spots[0] ?? [0, 0];
  const velocity = velocityOf(now, chart.see(pathAt(course, VELOCITY_S).place));
  const leadS = LEAD_S + lengthOf(velocity) / (2 * BRAKING_MPS2);
  const lead = chart.see(pathAt(course, circleOf(vehicle) > 0 ? LEAD_S : leadS).place);
  const clearance = new Clearance(spots, settings.standoffM + ROUNDING_M);
  const own: Spot = [vehicle.velocity.eastMps, vehicle.velocity.northMps];
  const out = directionOf(opposite(now));
  const closing = {
    apartM: lengthOf(now),
    ourOutwardMps: own[0] * out[0] + own[1] * out[1],
    ourAsideMps: own[0] * out[1] - own[1] * out[0],
    theirInwardMps: velocity[0] * out[0] + velocity[1] * out[1],
    theirSpeedMps: lengthOf(velocity),
    maxMps: vehicle.maxMps,
  };
  // A vehicle that cannot hover has to fly half of its circle before it flies away from the track.
  const reactionS = Math.max(REACTION_S, (Math.PI * circleOf(vehicle)) / vehicle.cruiseMps);
  const roomM = Math.max(LEAST_ROOM_M, reactionS * lengthOf(velocity));
  const isFree = (to: Spot): boolean => settings.isFree?.({ ...chart.placeOf(to), altHaeM }) ?? true;
  const allows = (to: Spot): boolean => clearance.allows(to) && isFree(to);
  const distanceM = distanceTo(vehicle, now, pathAt(course, 0).altHaeM);
  const measured = { distanceM, breach: distanceM < settings.standoffM };
  const theirs = pathAt(course, VELOCITY_S).altHaeM;
  const heightM = Number.isNaN(theirs) ? altHaeM : heightWithin(theirs + (settings.heightOffsetM ?? 0), settings);
  return { chart, vehicle, clearance, now, lead, velocity, own, closing, roomM, isFree, allows, measured, heightM };
}

function velocityOf(now: Spot, then: Spot): Spot {
  return [(then[0] - now[0]) / VELOCITY_S, (then[1] - now[1]) / VELOCITY_S];
}

/**
 * Returns the first candidate that keeps the standoff even if the track turns. The candidates are `to`, points farther
 * out, and nearer points on the way to `to`, which slow the vehicle down. Null if no candidate does.
 */
export function keptOff({ clearance, closing, now, allows }: View, to: Spot): Spot | null {
  const out = directionOf(opposite(now));
  const kept = (spot: Spot): boolean => {
    const gapM = spot[0] * out[0] + spot[1] * out[1];
    return nearestIfItTurns(closing, gapM) >= clearance.standoffM + SPARE_M && allows(spot);
  };
  const nearer = SHARES.map((share): Spot => [to[0] * share, to[1] * share]);
  const beyond = directionOf(plus(to, now, -1));
  const farther = OUTWARD_M.map((farM) => plus(to, beyond, farM));
  return [to, ...farther, ...nearer].find(kept) ?? null;
}

/**
 * Returns the step of a vehicle that has no permitted point to fly to, as at the edge of its range or before a fence.
 * The vehicle waits at its position while the target is far off, and gives way while the target is near.
 */
export function heldBack(view: View): Step {
  const { clearance, roomM, vehicle, measured } = view;
  if (clearance.nowM < clearance.standoffM + 2 * roomM) return givingWay(view);
  return { ...measured, point: { ...vehicle.position }, speedMps: null, phase: 'going', etaS: null };
}

/**
 * Returns a step at full speed away from the target. The height stays, since a climb or descent could bring the vehicle
 * nearer.
 */
export function givingWay({ clearance, chart, vehicle, velocity, own, closing, isFree, measured }: View): Step {
  const to = giveWay(clearance, { velocity: own, theirs: velocity, closing }, isFree);
  const point = { ...chart.placeOf(to), altHaeM: vehicle.position.altHaeM };
  return { ...measured, point, speedMps: vehicle.maxMps, phase: 'giving_way', etaS: null };
}

export function stepTo({ chart, measured, heightM }: View, to: Spot) {
  return { ...measured, point: { ...chart.placeOf(to), altHaeM: heightM } };
}

/** Returns the distance to a target, m: in space if both heights are known, else along the ground. */
export function distanceTo({ position }: Vehicle, spot: Spot, altHaeM: number): number {
  const upM = Number.isNaN(altHaeM) ? 0 : altHaeM - position.altHaeM;
  return Math.hypot(lengthOf(spot), upM);
}

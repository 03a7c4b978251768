import { Chart, type Spot } from '../../geo/flat/chart.ts';
import { type Course, courseAt, courseOn } from '../safety/course.ts';
import { STANDOFF_AHEAD_S } from '../safety/standoff.ts';
import { circlePoint } from './circle.ts';
import { Clearance } from './clearance.ts';
import { type Closing, nearestIfItTurns, SPARE_M } from './closing.ts';
import { giveWay } from './give_way.ts';
import { directionOf, lengthOf, meetS, plus, turned, turnTo } from './spot.ts';
import { type Bounds, circleOf, heightWithin, type Step, type Vehicle } from './vehicle.ts';

export type Shadowing = Bounds & { standoffM: number; heightOffsetM?: number };

/** The station lies so far beyond the standoff: what turns towards the vehicle closes for so long until that gives way. */
const REACTION_S = 1.5;
const LEAST_ROOM_M = 15;
/** It lies where the track will be in so long, so that who flies there keeps abreast. */
const LEAD_S = 1.5;
/** Slower than this a track has no course to keep out of. */
const COURSE_FROM_MPS = 1.5;
/** No nearer to its course than so: a bit behind abeam, where a turn towards the vehicle takes longest. */
const LEAST_OFF_COURSE = (105 * Math.PI) / 180;
/** A point that is too near is looked for so much farther out. */
const OUTWARD_M = 3;
/** On station it is so near to it, times the station's distance. */
const ON_STATION = 1.15;

/** What a shadowing vehicle sees, on a chart about itself. */
type View = {
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
};

/**
 * The next point of a vehicle that follows a track at a distance. It keeps beside or behind it; goes round what the track is
 * expected to fly through within ten seconds, never through; and gives way at full speed when that comes too near.
 */
export function shadowStep(vehicle: Vehicle, course: Course, settings: Shadowing): Step {
  const view = viewOf(vehicle, course, settings);
  const { clearance, chart, now } = view;
  const theirs = courseAt(course, LEAD_S).altHaeM;
  const wanted = Number.isNaN(theirs) ? vehicle.position.altHaeM : theirs + (settings.heightOffsetM ?? 0);
  const distanceM = distanceTo(vehicle, now, courseAt(course, 0).altHaeM);
  const breach = distanceM < settings.standoffM;
  const step = { distanceM, breach };
  if (clearance.nowM < settings.standoffM) return givingWay(view, step);
  const { goal, to, radiusM } = nextOf(view);
  if (!to) return givingWay(view, step);
  const onStation = lengthOf(now) <= radiusM * ON_STATION + circleOf(vehicle);
  const speedMps = Math.min(vehicle.maxMps, Math.max(vehicle.cruiseMps, 1.5 * lengthOf(view.velocity)));
  return {
    ...step,
    point: { ...chart.placeOf(to), altHaeM: heightWithin(wanted, settings) },
    speedMps,
    phase: onStation ? 'on_station' : 'going',
    etaS: onStation ? 0 : meetS(goal, view.velocity, speedMps),
  };
}

function viewOf(vehicle: Vehicle, course: Course, settings: Shadowing): View {
  const { lat, lon, altHaeM } = vehicle.position;
  const chart = new Chart(lat, lon, altHaeM);
  const spots = courseOn(course, chart, 0, STANDOFF_AHEAD_S).map(({ at }): Spot => [at[0], at[1]]);
  const now = spots[0] ?? [0, 0];
  const lead = chart.see(courseAt(course, LEAD_S).place);
  const velocity = directionAndSpeed(now, lead);
  const clearance = new Clearance(spots, settings.standoffM);
  const own: Spot = [vehicle.velocity.eastMps, vehicle.velocity.northMps];
  const out = directionOf(plus([0, 0], now, -1));
  const closing = {
    apartM: lengthOf(now),
    ourOutwardMps: own[0] * out[0] + own[1] * out[1],
    theirInwardMps: velocity[0] * out[0] + velocity[1] * out[1],
    theirSpeedMps: lengthOf(velocity),
    maxMps: vehicle.maxMps,
  };
  // What cannot stand has to fly half of its circle before it goes away.
  const reactionS = Math.max(REACTION_S, (Math.PI * circleOf(vehicle)) / vehicle.cruiseMps);
  const roomM = Math.max(LEAST_ROOM_M, reactionS * lengthOf(velocity));
  const isFree = (to: Spot): boolean => settings.isFree?.({ ...chart.placeOf(to), altHaeM }) ?? true;
  return { chart, vehicle, clearance, now, lead, velocity, own, closing, roomM, isFree };
}

function directionAndSpeed(now: Spot, lead: Spot): Spot {
  return [(lead[0] - now[0]) / LEAD_S, (lead[1] - now[1]) / LEAD_S];
}

function nextOf(view: View): { goal: Spot; to: Spot | null; radiusM: number } {
  const { clearance, vehicle, roomM, isFree } = view;
  const circleM = circleOf(vehicle);
  const radiusM = clearance.standoffM + roomM + circleM;
  const goal = stationOf(view, radiusM);
  const free = (to: Spot): boolean => clearance.allows(to) && isFree(to);
  if (circleM > 0) {
    const right = turnsRight(view, goal);
    const rounds = [right, !right].map((clockwise) => circlePoint(goal, circleM, clockwise, vehicle.cruiseMps));
    return { goal, to: rounds.find(free) ?? clearance.round(goal, roomM / 2, isFree), radiusM };
  }
  const to = free(goal) ? goal : clearance.round(goal, roomM / 2, isFree);
  return { goal, to: to && keptOff(view, to, free), radiusM };
}

/** As it is, or as much farther out as keeps the standoff should the track turn; null where only giving way does. */
function keptOff({ clearance, closing, now }: View, to: Spot, free: (to: Spot) => boolean): Spot | null {
  const out = plus(to, now, -1);
  for (let farM = lengthOf(out); farM < closing.apartM + 60; farM += OUTWARD_M) {
    if (nearestIfItTurns(closing, farM - closing.apartM) < clearance.standoffM + SPARE_M) continue;
    const farther = plus(now, directionOf(out), farM);
    if (free(farther)) return farther;
  }
  return null;
}

function givingWay(
  { clearance, chart, vehicle, velocity, own, closing, isFree }: View,
  step: Pick<Step, 'distanceM' | 'breach'>,
): Step {
  const to = giveWay(clearance, { velocity: own, theirs: velocity, closing }, isFree);
  // Its height stays: up or down might be nearer.
  const point = { ...chart.placeOf(to), altHaeM: vehicle.position.altHaeM };
  return { ...step, point, speedMps: vehicle.maxMps, phase: 'giving_way', etaS: null };
}

/** Beside or behind the track, on the side on which the vehicle is. */
function stationOf({ now, lead, velocity }: View, radiusM: number): Spot {
  const out = directionOf(plus([0, 0], now, -1));
  if (lengthOf(velocity) < COURSE_FROM_MPS) return plus(lead, out, radiusM);
  const course = directionOf(velocity);
  const off = turnTo(course, out);
  const kept = Math.sign(off || 1) * Math.max(Math.abs(off), LEAST_OFF_COURSE);
  return plus(lead, turned(course, kept), radiusM);
}

/** The way round its circle that it flies already. */
function turnsRight({ vehicle: { velocity } }: View, goal: Spot): boolean {
  return turnTo(goal, [velocity.eastMps, velocity.northMps]) > 0;
}

/** In space where both heights are known. */
export function distanceTo({ position }: Vehicle, spot: Spot, altHaeM: number): number {
  const upM = Number.isNaN(altHaeM) ? 0 : altHaeM - position.altHaeM;
  return Math.hypot(lengthOf(spot), upM);
}

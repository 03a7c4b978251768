import type { Spot } from '../../../geo/position.ts';
import type { Path } from '../../safety/path.ts';
import { circlePoint } from './circle.ts';
import { type Following, givingWay, heldBack, keptOff, stepTo, type View, viewOf } from './follow.ts';
import { directionOf, lengthOf, meetS, opposite, plus, turned, turnTo } from './spot.ts';
import { circleOf, type Step, type Vehicle } from './vehicle.ts';

/** Ground speed below which the course of a track is not used, m/s. */
const COURSE_FROM_MPS = 1.5;
/**
 * Limits of the angle between the track's course and the direction to the station, rad: from slightly behind abeam
 * (95°) to farther behind (110°). A vehicle farther ahead is in the track's way. A vehicle farther behind has to catch
 * up and is slow to turn away.
 */
const LEAST_OFF_COURSE = (95 * Math.PI) / 180;
const MOST_OFF_COURSE = (110 * Math.PI) / 180;
/** Distance from the track up to which a vehicle counts as on station, as a multiple of the station's distance. */
const ON_STATION = 1.5;

/**
 * Returns the next point of a vehicle that follows a track at a distance. Its station is beside or behind the track,
 * and it flies around the predicted positions of the next 10 s. If the track comes too near, the vehicle gives way at
 * full speed.
 */
export function shadowStep(vehicle: Vehicle, course: Path, settings: Following): Step {
  const view = viewOf(vehicle, course, settings);
  if (view.clearance.nowM < settings.standoffM) return givingWay(view);
  const { goal, to, radiusM } = nextOf(view);
  if (!to) return heldBack(view);
  const speedMps = Math.min(vehicle.maxMps, Math.max(vehicle.cruiseMps, 1.5 * lengthOf(view.velocity)));
  const onStation = lengthOf(view.now) <= radiusM * ON_STATION + circleOf(vehicle);
  const etaS = onStation ? 0 : meetS(goal, view.velocity, speedMps);
  return { ...stepTo(view, to), speedMps, phase: onStation ? 'on_station' : 'going', etaS };
}

function nextOf(view: View): { goal: Spot; to: Spot | null; radiusM: number } {
  const { clearance, vehicle, roomM, isFree } = view;
  const circleM = circleOf(vehicle);
  const radiusM = clearance.standoffM + roomM + circleM;
  const goal = stationOf(view, radiusM);
  if (circleM > 0) {
    const right = turnsRight(view, goal);
    const rounds = [right, !right].map((clockwise) => circlePoint(goal, circleM, clockwise, vehicle.cruiseMps));
    return { goal, to: rounds.find(view.allows) ?? clearance.round(goal, roomM / 2, isFree), radiusM };
  }
  const to = view.allows(goal) ? goal : clearance.round(goal, roomM / 2, isFree);
  return { goal, to: to && keptOff(view, to), radiusM };
}

/**
 * Returns the station beside or behind the track, on the side on which the vehicle is. For a slow track, the station is
 * on the line from the track to the vehicle.
 */
function stationOf({ now, lead, velocity }: View, radiusM: number): Spot {
  const out = directionOf(opposite(now));
  if (lengthOf(velocity) < COURSE_FROM_MPS) return plus(lead, out, radiusM);
  const course = directionOf(velocity);
  const off = turnTo(course, out);
  const kept = Math.sign(off || 1) * Math.min(MOST_OFF_COURSE, Math.max(Math.abs(off), LEAST_OFF_COURSE));
  return plus(lead, turned(course, kept), radiusM);
}

/** True if the vehicle already flies clockwise around the goal. */
function turnsRight({ vehicle: { velocity } }: View, goal: Spot): boolean {
  return turnTo(goal, [velocity.eastMps, velocity.northMps]) > 0;
}

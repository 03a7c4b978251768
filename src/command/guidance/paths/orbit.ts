import { Chart } from '../../../geo/flat/chart.ts';
import type { Geodetic, Spot } from '../../../geo/position.ts';
import { type Path, pathAt } from '../../safety/path.ts';
import { STANDOFF_AHEAD_S } from '../../safety/standoff.ts';
import { circlePoint, type RadiusTrim } from './circle.ts';
import { distanceTo, type Following, givingWay, heldBack, keptOff, stepTo, viewOf } from './follow.ts';
import { lengthOf, plus } from './spot.ts';
import { type Bounds, heightWithin, type Step, type Vehicle } from './vehicle.ts';

export type Orbiting = { radiusM: number; direction: 'clockwise' | 'counter_clockwise'; speedMps?: number };

/** Greatest deviation from the circle at which a vehicle counts as on it, as a share of the radius. */
const ON_CIRCLE = 0.1;

/**
 * Returns the next point of an orbit around a fixed place. `trim` corrects the radius, since a vehicle that is sent
 * from point to point flies outside its circle.
 */
export function orbitStep(vehicle: Vehicle, centre: Geodetic, orbiting: Orbiting & Bounds, trim?: RadiusTrim): Step {
  const { altHaeM } = vehicle.position;
  const chart = new Chart(vehicle.position, altHaeM);
  const middle = chart.spotOf(centre);
  const speedMps = speedOf(vehicle, orbiting);
  const aimM = trim?.aimM(lengthOf(middle)) ?? orbiting.radiusM;
  const to = circlePoint(middle, aimM, orbiting.direction === 'clockwise', speedMps);
  const point = { ...chart.placeOf(to), altHaeM: heightWithin(centre.altHaeM, orbiting) };
  const distanceM = distanceTo(vehicle, middle, centre.altHaeM);
  return { point, distanceM, breach: false, ...phaseOf(lengthOf(middle), orbiting.radiusM, speedMps) };
}

/**
 * Returns the next point of an orbit around a track. The circle encloses all expected positions of the track, so around
 * a moving track it may be wider than requested. A circle around the present position would lead through later
 * positions of the track.
 */
export function orbitTrackStep(vehicle: Vehicle, course: Path, settings: Orbiting & Following): Step {
  const view = viewOf(vehicle, course, settings);
  const { clearance, chart, velocity, roomM } = view;
  if (clearance.nowM < settings.standoffM) return givingWay(view);
  const middle = chart.see(pathAt(course, STANDOFF_AHEAD_S / 2).place);
  const reachM = Math.max(...clearance.ahead.map((spot) => lengthOf(plus(spot, middle, -1))));
  const radiusM = Math.max(settings.radiusM, clearance.standoffM + roomM + reachM);
  const speedMps = Math.min(vehicle.maxMps, Math.max(speedOf(vehicle, settings), 1.5 * lengthOf(velocity)));
  const clockwise = settings.direction === 'clockwise';
  const still = circlePoint(middle, radiusM, clockwise, speedMps);
  // The circle moves with the track while the vehicle flies to the point.
  const moving: Spot = plus(still, velocity, Math.min(3, lengthOf(still) / speedMps));
  const kept = [moving, still].filter(view.allows).map((to) => (vehicle.minMps > 0 ? to : keptOff(view, to)));
  const to = kept.find((spot) => spot !== null) ?? clearance.round(still, roomM / 2, view.isFree);
  if (!to) return heldBack(view);
  return { ...stepTo(view, to), ...phaseOf(lengthOf(middle), radiusM, speedMps) };
}

function phaseOf(offM: number, radiusM: number, speedMps: number): Pick<Step, 'phase' | 'etaS' | 'speedMps'> {
  const onCircle = Math.abs(offM - radiusM) <= ON_CIRCLE * radiusM;
  const etaS = onCircle ? 0 : Math.abs(offM - radiusM) / speedMps;
  return { speedMps, phase: onCircle ? 'on_station' : 'going', etaS };
}

function speedOf(vehicle: Vehicle, { speedMps }: Orbiting): number {
  return Math.min(vehicle.maxMps, Math.max(vehicle.minMps, speedMps ?? vehicle.cruiseMps));
}

import { Chart } from '../../geo/flat/chart.ts';
import type { Place } from '../safety/move.ts';
import { distanceTo } from './follow.ts';
import { type Bounds, circleOf, heightWithin, type Step, type Vehicle } from './vehicle.ts';

/** Nearer than this it is there. */
export const THERE_M = 2;

/** Straight to a place. What cannot stand flies round it: its autopilot does that by itself. */
export function gotoStep(vehicle: Vehicle, to: Place, settings: Bounds & { speedMps?: number } = {}): Step {
  const { lat, lon, altHaeM } = vehicle.position;
  const point = { ...to, altHaeM: heightWithin(to.altHaeM, settings) };
  const distanceM = distanceTo(vehicle, new Chart(lat, lon, altHaeM).spotOf(to), point.altHaeM);
  const there = distanceM <= Math.max(THERE_M, 1.3 * circleOf(vehicle));
  const asked = settings.speedMps ?? null;
  const speedMps = asked === null ? null : Math.min(vehicle.maxMps, Math.max(vehicle.minMps, asked));
  const etaS = there ? 0 : distanceM / Math.max(0.1, speedMps ?? vehicle.cruiseMps);
  return { point, speedMps, phase: there ? 'on_station' : 'going', distanceM, etaS, breach: false };
}

import { Chart } from '../../../geo/flat/chart.ts';
import type { Geodetic, LatLon, Spot } from '../../../geo/position.ts';
import { OWN_HORIZONTAL_M } from '../../safety/own_traffic.ts';
import { circlePoint } from './circle.ts';
import { Clearance } from './clearance.ts';
import { BRAKING_MPS2 } from './closing.ts';
import { distanceTo } from './follow.ts';
import { directionOf, lengthOf, meetS, opposite, plus } from './spot.ts';
import { type Bounds, circleOf, heightWithin, type Step, type Vehicle } from './vehicle.ts';

export type Escorted = { position: Geodetic; velocity: { eastMps: number; northMps: number } };
export type Escorting = Bounds & { standoffM: number; bearingDeg: number; heightOffsetM?: number };

/** Least distance between an escort and the escorted vehicle, m: the separation of own vehicles plus a margin. */
const APART_M = OWN_HORIZONTAL_M + 10;
/** Distance by which a detour around the escorted vehicle exceeds the separation, m. */
const BEYOND_M = 10;
const ON_STATION_M = 15;
const AHEAD_S = 3;

/**
 * Returns the next point of an escort. Its station lies beside an own vehicle, at a bearing (from true north) and a
 * distance, and moves with that vehicle. It is never straight above or below it.
 */
export function escortStep(vehicle: Vehicle, escorted: Escorted, settings: Escorting): Step {
  const { altHaeM } = vehicle.position;
  const chart = new Chart(vehicle.position, altHaeM);
  const now = chart.spotOf(escorted.position);
  const then = chart.spotOf(placeIn(escorted, AHEAD_S));
  const velocity: Spot = [(then[0] - now[0]) / AHEAD_S, (then[1] - now[1]) / AHEAD_S];
  const speedMps = Math.min(vehicle.maxMps, Math.max(vehicle.cruiseMps, 1.5 * lengthOf(velocity)));
  const heightM = heightWithin(escorted.position.altHaeM + (settings.heightOffsetM ?? 0), settings);
  const measured = { distanceM: distanceTo(vehicle, now, escorted.position.altHaeM), breach: false };
  const isFree = (to: Spot): boolean => settings.isFree?.({ ...chart.placeOf(to), altHaeM: heightM }) ?? true;
  const clearance = new Clearance([now, then], APART_M);
  if (lengthOf(now) < OWN_HORIZONTAL_M) {
    const away = plus([0, 0], directionOf(opposite(now)), 4 * vehicle.maxMps);
    const point = { ...chart.placeOf(away), altHaeM };
    return { ...measured, point, speedMps: vehicle.maxMps, phase: 'giving_way', etaS: null };
  }
  const circleM = circleOf(vehicle);
  // A vehicle that can hover brakes for every point, so the ordered point is ahead of the station by 1 s plus the
  // braking time.
  const leadS = circleM > 0 ? 1 : 1 + lengthOf(velocity) / (2 * BRAKING_MPS2);
  const station = chart.spotOf(stationOf(escorted, settings, circleM, 0));
  const goal = plus(station, velocity, leadS);
  const direct = circleM > 0 ? circlePoint(goal, circleM, true, vehicle.cruiseMps) : goal;
  const to = clearance.allows(direct) && isFree(direct) ? direct : clearance.round(direct, BEYOND_M, isFree);
  const onStation = lengthOf(station) <= ON_STATION_M + circleM * 1.2;
  const point = { ...chart.placeOf(to ?? [0, 0]), altHaeM: heightM };
  const etaS = onStation ? 0 : meetS(station, velocity, speedMps);
  return { ...measured, point, speedMps, phase: onStation ? 'on_station' : 'going', etaS };
}

/**
 * Returns the station of an escort: the place at a bearing and distance from the escorted vehicle. For an escort that
 * circles, the distance is larger by the radius of its circle, so that the whole circle keeps the distance.
 */
function stationOf(escorted: Escorted, { standoffM, bearingDeg }: Escorting, circleM: number, inS: number) {
  const bearing = (bearingDeg * Math.PI) / 180;
  const farM = Math.max(standoffM, APART_M + BEYOND_M) + circleM;
  const chart = new Chart(placeIn(escorted, inS), escorted.position.altHaeM);
  return chart.placeOf([farM * Math.sin(bearing), farM * Math.cos(bearing)]);
}

function placeIn({ position, velocity }: Escorted, inS: number): LatLon {
  const chart = new Chart(position, position.altHaeM);
  return chart.placeOf([velocity.eastMps * inS, velocity.northMps * inS]);
}

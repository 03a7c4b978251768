import { Chart } from '../../../../geo/flat/chart.ts';
import type { Geodetic, LatLon, Spot } from '../../../../geo/position.ts';
import { middleOf } from '../../../../geo/shape/middle.ts';
import type { Geometry } from '../../../../model/geometry.ts';
import { laneCount, lanesOf } from './lanes.ts';
import { ringsOf } from './rings.ts';
import { lengthOf, routeOver } from './route.ts';

/**
 * Greatest number of points of a path: the limit of a mission that is uploaded to a vehicle. The limit applies although
 * guidance flies the path point by point.
 */
export const MOST_POINTS = 200;
const WIDER = 1.15;
const MOST_TRIES = 40;

type Searching = { spacingM: number; altHaeM: number; from: LatLon };
type Search = {
  points: Geodetic[];
  /** Spacing of the flown lanes, m; wider than requested if the path would otherwise have too many points. */
  spacingM: number;
  lengthM: number;
  /** Sentence that states a spacing other than requested; else null. */
  note: string | null;
};

/**
 * Returns a path over an area. The spacing grows until the path has few enough points; null if no spacing suffices,
 * since the edge has too many corners.
 */
export function searchOver(geometry: Geometry, searching: Searching): Search | null {
  const chart = new Chart(middleOf(geometry));
  const from = chart.spotOf(searching.from);
  let { spacingM } = searching;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const path = pathOver(geometry, chart, spacingM, from);
    if (path && path.length <= MOST_POINTS) {
      const points = path.map((spot) => ({ ...chart.placeOf(spot), altHaeM: searching.altHaeM }));
      const wider = spacingM > searching.spacingM;
      const note = `lanes are ${Math.round(spacingM)} m apart instead of ${Math.round(searching.spacingM)} m: a mission has at most ${MOST_POINTS} points`;
      return { points, spacingM, lengthM: lengthOf(path), note: wider ? note : null };
    }
    spacingM *= WIDER;
  }
  return null;
}

/** Returns the path over an area; null if it would certainly have too many points. */
function pathOver(geometry: Geometry, chart: Chart, spacingM: number, from: Spot): Spot[] | null {
  const { rings, line } = ringsOf(geometry, chart, spacingM);
  if (line) return far(line[0], from) <= far(line.at(-1), from) ? line : [...line].reverse();
  const lanes = rings.reduce((sum, [outer = []]) => sum + laneCount(outer, spacingM), 0);
  const corners = rings.reduce((sum, polygon) => sum + (polygon[0]?.length ?? 0), 0);
  if (2 * lanes + corners > MOST_POINTS) return null;
  const path: Spot[] = [];
  const open = [...rings];
  while (open.length > 0) {
    const at = path.at(-1) ?? from;
    const near = (i: number): number => Math.min(...(open[i]?.[0] ?? []).map((spot) => far(spot, at)));
    const next = [...open.keys()].reduce((best, i) => (near(i) < near(best) ? i : best), 0);
    const [polygon = []] = open.splice(next, 1);
    path.push(...routeOver(polygon, lanesOf(polygon, spacingM), at));
  }
  return path;
}

function far(spot: Spot | undefined, from: Spot): number {
  return spot ? lengthOf([spot, from]) : Number.POSITIVE_INFINITY;
}

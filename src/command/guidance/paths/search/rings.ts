import type { Chart } from '../../../../geo/flat/chart.ts';
import { distanceToLine, minus } from '../../../../geo/flat/lines.ts';
import type { Spot } from '../../../../geo/position.ts';
import { vectorOf } from '../../../../geo/shape/plane.ts';
import type { Geometry, Position } from '../../../../model/geometry.ts';
import { directionOf, plus, turned } from '../spot.ts';

/** An outer ring and its holes. The first spot of a ring is not repeated at its end. */
export type Rings = readonly (readonly Spot[])[];

/**
 * Limits of the polygon that replaces a round edge. It deviates by at most `OFF` times the lane spacing, unless that needs
 * more than `MOST_SIDES` sides on a full circle. `OFF` also limits the simplification of polygons.
 */
const OFF = 0.05;
const MOST_SIDES = 60;
/** Greatest distance of a removed corner from the simplified edge, m. The path leaves the area by no more than this. */
const EDGE_MARGIN_M = 5;

/** Converts the area of a search to rings on a chart. A corridor that a single pass covers becomes a line instead. */
export function ringsOf(geometry: Geometry, chart: Chart, spacingM: number): { rings: Rings[]; line: Spot[] | null } {
  const spot = ([lonDeg, latDeg]: Position): Spot => chart.see(vectorOf([lonDeg, latDeg]));
  const fine = (polygon: readonly (readonly Position[])[]): Rings =>
    polygon.map((ring) => simplified(ring.slice(0, -1).map(spot), Math.min(EDGE_MARGIN_M, OFF * spacingM)));
  switch (geometry.type) {
    case 'Polygon':
      return { rings: [fine(geometry.coordinates)], line: null };
    case 'MultiPolygon':
      return { rings: geometry.coordinates.map(fine), line: null };
    case 'Point': {
      const middle = spot(geometry.coordinates);
      const turns = turnsOf(geometry.radius_m, spacingM, 2 * Math.PI);
      return { rings: [[turns.map((turn) => plus(middle, turned([1, 0], turn), geometry.radius_m))]], line: null };
    }
    case 'LineString': {
      const line = geometry.coordinates.map(spot);
      const halfM = geometry.width_m / 2;
      if (halfM <= spacingM / 2) return { rings: [], line };
      return { rings: line.slice(1).map((to, i) => [capsule(line[i] ?? to, to, halfM, spacingM)]), line: null };
    }
  }
}

/** Returns the outline of all points within `halfM` of a line. */
function capsule(from: Spot, to: Spot, halfM: number, spacingM: number): Spot[] {
  const along = directionOf(minus(to, from));
  const turns = [...turnsOf(halfM, spacingM, Math.PI), Math.PI];
  const end = (spot: Spot, begin: number): Spot[] =>
    turns.map((turn) => plus(spot, turned(along, begin + turn), halfM));
  return [...end(to, -Math.PI / 2), ...end(from, Math.PI / 2)];
}

function turnsOf(radiusM: number, spacingM: number, whole: number): number[] {
  const side = 2 * Math.acos(Math.max(0.5, 1 - (OFF * spacingM) / radiusM));
  const count = Math.min(Math.ceil((MOST_SIDES * whole) / (2 * Math.PI)), Math.max(4, Math.ceil(whole / side)));
  return Array.from({ length: count }, (_, i) => (i * whole) / count);
}

/** Removes the corners that lie close to the line between their neighbours (Douglas and Peucker, 1973). */
function simplified(ring: readonly Spot[], offM: number): Spot[] {
  const [first] = ring;
  if (!first || ring.length <= 4) return [...ring];
  const farthest = ring.reduce(
    (best, spot, i) => (distance(spot, first) > distance(ring[best] ?? first, first) ? i : best),
    0,
  );
  const half = (line: readonly Spot[]): Spot[] => thinned(line, offM).slice(0, -1);
  const kept = [...half(ring.slice(0, farthest + 1)), ...half([...ring.slice(farthest), first])];
  return kept.length >= 3 ? kept : [...ring];
}

function thinned(line: readonly Spot[], offM: number): Spot[] {
  const [first, last] = [line[0], line.at(-1)];
  if (!first || !last || line.length <= 2) return [...line];
  let [most, at] = [0, 0];
  for (const [i, spot] of line.entries()) {
    const off = distanceToLine(spot, first, last);
    if (off > most) [most, at] = [off, i];
  }
  if (most <= offM) return [first, last];
  return [...thinned(line.slice(0, at + 1), offM).slice(0, -1), ...thinned(line.slice(at), offM)];
}

function distance(a: Spot, b: Spot): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

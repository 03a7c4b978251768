import type { Geometry, Position } from '../../model/geometry.ts';
import type { Spot } from '../position.ts';
import { apart, type Vector, vectorOf } from '../shape/plane.ts';
import type { Chart } from './chart.ts';
import { between, distanceToLine, spanNear } from './lines.ts';
import { type Span, united } from './spans.ts';

/** Lower bound of the earth's radii of curvature, m. */
const LEAST_EARTH_M = 6_335_000;

/** Band of all points within `halfM` of a line; a line of one position makes a circle. */
type Band = { line: readonly Vector[]; halfM: number };

/**
 * Ground area of a geometry, prepared for projection onto charts. It is valid as long as the geometry does not change.
 */
export class Footprint {
  readonly #polygons: readonly (readonly (readonly Vector[])[])[];
  readonly #band: Band | null;
  readonly #middle: Vector;
  /** Angle from the middle of the area to its farthest point, rad. */
  readonly #reach: number;

  constructor(geometry: Geometry) {
    this.#polygons = polygonsOf(geometry).map((polygon) => polygon.map((ring) => ring.map(vectorOf)));
    this.#band = bandOf(geometry);
    const all = this.#band?.line ?? this.#polygons.flat(2);
    this.#middle = middleOf(all);
    const farthest = Math.max(...all.map((place) => angle(this.#middle, place)));
    this.#reach = farthest + (this.#band?.halfM ?? 0) / LEAST_EARTH_M;
  }

  /**
   * Projects the footprint onto a chart. Returns null if a circle around the footprint is farther than `withinM` from
   * the chart's middle.
   */
  on(chart: Chart, withinM: number): Drawn | null {
    if (angle(chart.up, this.#middle) > this.#reach + withinM / LEAST_EARTH_M + 1e-6) return null;
    const polygons = this.#polygons.map((polygon) => polygon.map((ring) => ring.map((place) => chart.see(place))));
    const { line = [], halfM = 0 } = this.#band ?? {};
    const halfHereM = halfM * chart.metre;
    // The edge of a large circle may be near the chart's middle although its centre is far away. `pin` therefore keeps
    // the true distance of the centre.
    const [only] = line;
    return new Drawn(
      polygons,
      line.length === 1 && only ? [chart.pin(only)] : line.map((place) => chart.see(place)),
      halfHereM,
    );
  }
}

/** A footprint projected onto a chart. */
export class Drawn {
  /** Rings of each polygon, the outer ring first. A geometry without polygons is the band within `halfM` of `line`. */
  readonly polygons: readonly (readonly (readonly Spot[])[])[];
  readonly line: readonly Spot[];
  readonly halfM: number;

  constructor(polygons: readonly (readonly (readonly Spot[])[])[], line: readonly Spot[], halfM: number) {
    this.polygons = polygons;
    this.line = line;
    this.halfM = halfM;
  }

  /** Returns the parts of the straight path `from`–`to` that are inside the area or within `marginM` of it. */
  spans(from: Spot, to: Spot, marginM = 0): Span[] {
    const spans: (Span | null)[] = edgesOf(this.line).map(([a, b]) => spanNear(from, to, a, b, this.halfM + marginM));
    for (const polygon of this.polygons) {
      spans.push(...spansInside(polygon, from, to));
      if (marginM <= 0) continue;
      for (const [a, b] of polygon.flatMap(edgesOf)) spans.push(spanNear(from, to, a, b, marginM));
    }
    return united(spans.filter((span) => span !== null));
  }

  /**
   * Returns the distance of `spot` from the edge, m, positive inside and negative outside. If `spot` is inside several
   * polygons, the greatest distance counts.
   */
  depth(spot: Spot): number {
    const depths = this.polygons.map((polygon) => {
      const off = Math.min(...polygon.flatMap(edgesOf).map(([a, b]) => distanceToLine(spot, a, b)));
      return isInside(polygon, spot) ? off : -off;
    });
    const bands = edgesOf(this.line).map(([a, b]) => this.halfM - distanceToLine(spot, a, b));
    return Math.max(Number.NEGATIVE_INFINITY, ...depths, ...bands);
  }
}

export function isInside(rings: readonly (readonly Spot[])[], [x, y]: Spot): boolean {
  let inside = false;
  for (const ring of rings) {
    for (let i = 0; i + 1 < ring.length; i++) {
      const [[ax, ay], [bx, by]] = [ring[i] ?? [0, 0], ring[i + 1] ?? [0, 0]];
      if (ay > y !== by > y && x < ax + ((bx - ax) * (y - ay)) / (by - ay)) inside = !inside;
    }
  }
  return inside;
}

/**
 * Returns the parts of a path inside a polygon. The path is cut where it crosses an edge. A piece is inside if its
 * midpoint is.
 */
function spansInside(rings: readonly (readonly Spot[])[], from: Spot, to: Spot): Span[] {
  const cuts = [0, ...rings.flatMap((ring) => edgesOf(ring).flatMap(([a, b]) => crossing(from, to, a, b))), 1];
  cuts.sort((a, b) => a - b);
  const spans: Span[] = [];
  for (let i = 0; i + 1 < cuts.length; i++) {
    const [begin, end] = [cuts[i] ?? 0, cuts[i + 1] ?? 1];
    if (end > begin && isInside(rings, between(from, to, (begin + end) / 2))) spans.push([begin, end]);
  }
  return spans;
}

/**
 * Share of a path (0 to 1) at which it crosses the edge `a`–`b`; empty if it does not. Edges are extended by 1e-9 of
 * their length, against gaps from rounding.
 */
function crossing(from: Spot, to: Spot, a: Spot, b: Spot): number[] {
  const [dx, dy, ex, ey] = [to[0] - from[0], to[1] - from[1], b[0] - a[0], b[1] - a[1]];
  const across = dx * ey - dy * ex;
  if (across === 0) return [];
  const [x, y] = [a[0] - from[0], a[1] - from[1]];
  const [onWay, onEdge] = [(x * ey - y * ex) / across, (x * dy - y * dx) / across];
  return onWay > 0 && onWay < 1 && onEdge >= -1e-9 && onEdge <= 1 + 1e-9 ? [onWay] : [];
}

/** Edges of a line. A line of one position has one edge of length 0. */
export function edgesOf(line: readonly Spot[]): [Spot, Spot][] {
  const [only] = line;
  if (line.length === 1 && only) return [[only, only]];
  return line.slice(1).map((spot, i) => [line[i] ?? spot, spot]);
}

function polygonsOf(geometry: Geometry): readonly (readonly (readonly Position[])[])[] {
  if (geometry.type === 'Polygon') return [geometry.coordinates];
  return geometry.type === 'MultiPolygon' ? geometry.coordinates : [];
}

function bandOf(geometry: Geometry): Band | null {
  if (geometry.type === 'Point') return { line: [vectorOf(geometry.coordinates)], halfM: geometry.radius_m };
  if (geometry.type !== 'LineString') return null;
  return { line: geometry.coordinates.map(vectorOf), halfM: geometry.width_m / 2 };
}

function middleOf(places: readonly Vector[]): Vector {
  let [x, y, z] = [0, 0, 0];
  for (const place of places) {
    x += place[0];
    y += place[1];
    z += place[2];
  }
  const length = Math.hypot(x, y, z);
  return length > 0 ? [x / length, y / length, z / length] : [0, 0, 1];
}

function angle(a: Vector, b: Vector): number {
  return 2 * Math.asin(Math.min(1, apart(a, b) / 2));
}

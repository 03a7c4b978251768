import { type AreaRelation, heightGapOf, Situation } from '../../../src/core/threat/situation.ts';
import { defaultPolicy } from '../../../src/model/decision_defaults.ts';

export type Vector = readonly [east: number, north: number, up: number];
type Point = readonly [east: number, north: number];

/** A protected thing of a generated world: a disc (a point where the radius is 0) or a convex polygon. */
export type Thing = {
  id: string;
  kind: 'zone' | 'asset';
  importance: number;
  ceilingM: number;
  shape: { middle: Point; radiusM: number } | { corners: readonly Point[] };
};
export type Flyer = {
  place: Vector;
  velocity: Vector;
  rest: Omit<Situation, 'standings' | 'heightM' | 'speedMps' | 'climbMps'>;
};

/** Ahead of which no path is followed. */
const HORIZON_S = 3_600;

/** The situation of an aircraft among things: every distance worked out plainly, in a plane. */
export function situationOf(flyer: Flyer, things: readonly Thing[]): Situation {
  const [, , up] = flyer.place;
  return {
    ...flyer.rest,
    heightM: up,
    speedMps: Math.hypot(flyer.velocity[0], flyer.velocity[1]),
    climbMps: flyer.velocity[2],
    relations: things.map((thing) => standingOf(flyer, thing)),
  };
}

export const restOf = (change: Partial<Situation> = {}): Flyer['rest'] => ({ ...new Situation('T'), ...change });

function standingOf({ place: [e, n, up], velocity: [ve, vn] }: Flyer, thing: Thing): AreaRelation {
  const at: Point = [e, n];
  const distanceM = edgeM(at, thing);
  const [ue, un] = towards(at, thing);
  const { distanceM: cpaDistanceM, inS } = closest(at, [ve, vn], thing);
  return {
    id: thing.id,
    kind: thing.kind,
    zoneKind: thing.kind === 'zone' ? 'protected' : null,
    name: `thing ${thing.id}`,
    importance: thing.importance,
    distanceM,
    heightGapM: heightGapOf(up, Number.NEGATIVE_INFINITY, thing.ceilingM, up, defaultPolicy.curves.open_ceiling_m),
    closingMps: ve * ue + vn * un,
    cpaDistanceM,
    cpaInS: inS,
    etaS: cpaDistanceM <= 0 ? inS : Number.POSITIVE_INFINITY,
    etaSigmaS: Number.NaN,
    dwellS: 0,
    operatorDistanceM: Number.NaN,
  };
}

/** To the edge, negative inside. */
export function edgeM(at: Point, { shape }: Thing): number {
  if ('radiusM' in shape) return apart(at, shape.middle) - shape.radiusM;
  const toEdge = Math.min(...edges(shape.corners).map(([a, b]) => apart(at, nearestOn(at, a, b))));
  return isIn(at, shape.corners) ? -toEdge : toEdge;
}

/** The direction in which the distance to the edge shrinks: to the nearest of it, inside away from the edge. */
export function towards(at: Point, { shape }: Thing): Point {
  if ('radiusM' in shape) return unit([shape.middle[0] - at[0], shape.middle[1] - at[1]]);
  const nearest = edges(shape.corners)
    .map(([a, b]) => nearestOn(at, a, b))
    .reduce((best, point) => (apart(at, point) < apart(at, best) ? point : best));
  const sign = isIn(at, shape.corners) ? -1 : 1;
  return unit([sign * (nearest[0] - at[0]), sign * (nearest[1] - at[1])]);
}

function closest(at: Point, velocity: Point, thing: Thing): { distanceM: number; inS: number } {
  const { shape } = thing;
  if (edgeM(at, thing) <= 0) return { distanceM: 0, inS: 0 };
  const square = velocity[0] ** 2 + velocity[1] ** 2;
  const alongS = (to: Point): number =>
    square === 0
      ? 0
      : Math.min(HORIZON_S, Math.max(0, ((to[0] - at[0]) * velocity[0] + (to[1] - at[1]) * velocity[1]) / square));
  const then = (s: number): Point => [at[0] + velocity[0] * s, at[1] + velocity[1] * s];
  if ('radiusM' in shape) {
    const inS = alongS(shape.middle);
    const missM = apart(then(inS), shape.middle);
    if (missM > shape.radiusM) return { distanceM: missM - shape.radiusM, inS };
    return { distanceM: 0, inS: inS - Math.sqrt((shape.radiusM ** 2 - missM ** 2) / square) };
  }
  let best = { distanceM: Number.POSITIVE_INFINITY, inS: 0 };
  const end = then(HORIZON_S);
  for (const [a, b] of edges(shape.corners)) {
    const hit = crossingS(at, velocity, a, b);
    const here = apart(at, nearestOn(at, a, b));
    const candidates = [
      { distanceM: here, inS: 0 },
      { distanceM: apart(end, nearestOn(end, a, b)), inS: HORIZON_S },
      ...[a, b].map((corner) => ({ distanceM: apart(corner, then(alongS(corner))), inS: alongS(corner) })),
      ...(hit === null ? [] : [{ distanceM: 0, inS: hit }]),
    ];
    for (const candidate of candidates) {
      const { distanceM, inS } = candidate;
      if (distanceM < best.distanceM || (distanceM === best.distanceM && inS < best.inS)) best = candidate;
    }
  }
  return best;
}

function crossingS(at: Point, [ve, vn]: Point, a: Point, b: Point): number | null {
  const [ee, en] = [b[0] - a[0], b[1] - a[1]];
  const cross = ve * en - vn * ee;
  if (cross === 0) return null;
  const s = ((a[0] - at[0]) * en - (a[1] - at[1]) * ee) / cross;
  const along = ((a[0] - at[0]) * vn - (a[1] - at[1]) * ve) / cross;
  return s >= 0 && s <= HORIZON_S && along >= 0 && along <= 1 ? s : null;
}

function nearestOn(at: Point, a: Point, b: Point): Point {
  const [e, n] = [b[0] - a[0], b[1] - a[1]];
  const share = Math.min(1, Math.max(0, ((at[0] - a[0]) * e + (at[1] - a[1]) * n) / (e * e + n * n || 1)));
  return [a[0] + e * share, a[1] + n * share];
}

/** Of corners that run against the clock. */
function isIn(at: Point, corners: readonly Point[]): boolean {
  return edges(corners).every(([a, b]) => (b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0]) >= 0);
}

function edges(corners: readonly Point[]): [Point, Point][] {
  return corners.map((corner, i) => [corner, corners[(i + 1) % corners.length] ?? corner]);
}

function apart(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

function unit([e, n]: Point): Point {
  const length = Math.hypot(e, n);
  return length === 0 ? [0, 1] : [e / length, n / length];
}

/** The same world turned about its origin, and seen in a mirror where `mirrored`. */
export function turned(angle: number, mirrored: boolean): { flyer(of: Flyer): Flyer; thing(of: Thing): Thing } {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const point = ([e, n]: Point): Point => {
    const east = mirrored ? -e : e;
    return [cos * east - sin * n, sin * east + cos * n];
  };
  const vector = ([e, n, u]: Vector): Vector => [...point([e, n]), u];
  return {
    flyer: ({ place, velocity, rest }) => ({ place: vector(place), velocity: vector(velocity), rest }),
    thing: (of) => {
      const { shape } = of;
      if ('radiusM' in shape) return { ...of, shape: { ...shape, middle: point(shape.middle) } };
      const corners = shape.corners.map(point);
      return { ...of, shape: { corners: mirrored ? corners.reverse() : corners } };
    },
  };
}

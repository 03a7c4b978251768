import type { Point, Spot } from '../position.ts';
import { type Span, spanBetween } from './spans.ts';

export function minus(a: Spot, b: Spot): Spot {
  return [a[0] - b[0], a[1] - b[1]];
}

/** Returns the spot between `a` (at `share` 0) and `b` (at `share` 1). */
export function between(a: Spot, b: Spot, share: number): Spot {
  return [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])];
}

/** Returns the share (0 to 1) of the line `a`–`b` at which the line is nearest to a spot. */
export function nearestShare([x, y]: Spot, a: Spot, b: Spot): number {
  const [dx, dy] = minus(b, a);
  const length2 = dx * dx + dy * dy;
  return length2 > 0 ? Math.min(1, Math.max(0, ((x - a[0]) * dx + (y - a[1]) * dy) / length2)) : 0;
}

export function distanceToLine(spot: Spot, a: Spot, b: Spot): number {
  const [x, y] = between(a, b, nearestShare(spot, a, b));
  return Math.hypot(spot[0] - x, spot[1] - y);
}

/**
 * Part of a straight path within `radiusM` of the line `a`–`b`; null if there is none. It is one span, since the
 * region around a line is convex.
 */
export function spanNear(from: Spot, to: Spot, a: Spot, b: Spot, radiusM: number): Span | null {
  if (Math.max(from[0], to[0]) < Math.min(a[0], b[0]) - radiusM) return null;
  if (Math.min(from[0], to[0]) > Math.max(a[0], b[0]) + radiusM) return null;
  if (Math.max(from[1], to[1]) < Math.min(a[1], b[1]) - radiusM) return null;
  if (Math.min(from[1], to[1]) > Math.max(a[1], b[1]) + radiusM) return null;
  const spans = [
    spanInDisc(from, to, a, radiusM),
    spanInDisc(from, to, b, radiusM),
    spanBeside(from, to, a, b, radiusM),
  ];
  const found = spans.filter((span) => span !== null);
  if (found.length === 0) return null;
  return [Math.min(...found.map((span) => span[0])), Math.max(...found.map((span) => span[1]))];
}

function spanInDisc(from: Spot, to: Spot, middle: Spot, radiusM: number): Span | null {
  const [dx, dy] = minus(to, from);
  const [x, y] = minus(from, middle);
  const [a, b, c] = [dx * dx + dy * dy, x * dx + y * dy, x * x + y * y - radiusM * radiusM];
  if (a === 0) return c <= 0 ? [0, 1] : null;
  const root = b * b - a * c;
  if (root < 0) return null;
  return spanBetween(0, 1, (-b - Math.sqrt(root)) / a, (-b + Math.sqrt(root)) / a);
}

/** Part of a path in the rectangle along the line `a`–`b`, which reaches `radiusM` to each side of the line. */
function spanBeside(from: Spot, to: Spot, a: Spot, b: Spot, radiusM: number): Span | null {
  const [dx, dy] = minus(b, a);
  const length = Math.hypot(dx, dy);
  if (length === 0) return null;
  const along = ([x, y]: Spot): number => ((x - a[0]) * dx + (y - a[1]) * dy) / length;
  const left = ([x, y]: Spot): number => ((y - a[1]) * dx - (x - a[0]) * dy) / length;
  const one = spanBetween(along(from), along(to), 0, length);
  const other = spanBetween(left(from), left(to), -radiusM, radiusM);
  if (!one || !other) return null;
  const span: Span = [Math.max(one[0], other[0]), Math.min(one[1], other[1])];
  return span[0] <= span[1] ? span : null;
}

/** Least distance between two line segments in space (Ericson, Real-Time Collision Detection, 5.1.9). */
export function apartInSpace(p1: Point, q1: Point, p2: Point, q2: Point): number {
  const [d1, d2, r] = [less(q1, p1), less(q2, p2), less(p1, p2)];
  const [a, e, f] = [times(d1, d1), times(d2, d2), times(d2, r)];
  const [b, c] = [times(d1, d2), times(d1, r)];
  const even = a * e - b * b;
  let s = a > 0 && e > 0 && even > 1e-9 * a * e ? unit((b * f - c * e) / even) : 0;
  let t = e > 0 ? unit((b * s + f) / e) : 0;
  // Moves the point of each segment to where it is nearest to the point of the other segment. This may fail for
  // parallel segments, so the ends of both segments are tried too.
  s = a > 0 ? unit((b * t - c) / a) : 0;
  t = e > 0 ? unit((b * s + f) / e) : 0;
  const found = lengthOf(p1, d1, s, p2, d2, t);
  const ends = [
    [0, e > 0 ? unit(f / e) : 0],
    [1, e > 0 ? unit((b + f) / e) : 0],
    [a > 0 ? unit(-c / a) : 0, 0],
    [a > 0 ? unit((b - c) / a) : 0, 1],
  ] as const;
  return Math.min(found, ...ends.map(([at, on]) => lengthOf(p1, d1, at, p2, d2, on)));
}

function lengthOf(p1: Point, d1: Point, s: number, p2: Point, d2: Point, t: number): number {
  return Math.hypot(
    p1[0] + s * d1[0] - p2[0] - t * d2[0],
    p1[1] + s * d1[1] - p2[1] - t * d2[1],
    p1[2] + s * d1[2] - p2[2] - t * d2[2],
  );
}

const unit = (share: number): number => Math.min(1, Math.max(0, share));
const less = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const times = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

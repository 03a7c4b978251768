import type { Position } from '../../model/geometry.ts';
import type { Flat } from './plane.ts';
import { type Edges, SAME } from './segment.ts';

/** A ring in a plane, with the index of its first edge among the edges of its polygon, and the number of its edges. */
export type Ring = { flat: Flat; firstEdge: number; edges: number };

/** Returns the edges of all rings. Edges without length are left out, since a position may be repeated. */
export function edgesOf(rings: readonly Ring[]): Edges {
  const most = rings.reduce((sum, { flat }) => sum + flat.length / 2 - 1, 0);
  const at = new Float64Array(4 * most);
  const ring = new Int32Array(most);
  const from = new Int32Array(most);
  let count = 0;
  for (const [number, of] of rings.entries()) {
    of.firstEdge = count;
    const { flat } = of;
    let begin = 0;
    for (let i = 1; i < flat.length / 2; i++) {
      const [ax = 0, ay = 0, bx = 0, by = 0] = [flat[2 * begin], flat[2 * begin + 1], flat[2 * i], flat[2 * i + 1]];
      if (Math.hypot(bx - ax, by - ay) <= SAME) continue;
      at.set([ax, ay, bx, by], 4 * count);
      ring[count] = number;
      from[count] = begin;
      begin = i;
      count++;
    }
    of.edges = count - of.firstEdge;
  }
  return { count, at, ring, from };
}

/** Whether the last position of a ring equals the first. */
export function isClosed(ring: readonly Position[]): boolean {
  const [first, last] = [ring[0], ring.at(-1)];
  return first !== undefined && last !== undefined && first[0] === last[0] && first[1] === last[1];
}

/** Whether a point is inside a ring of either direction. On the ring's line either result is possible. */
export function isInside({ flat }: Ring, x: number, y: number): boolean {
  let inside = false;
  for (let i = 0; i + 3 < flat.length; i += 2) {
    const ay = flat[i + 1] ?? 0;
    const by = flat[i + 3] ?? 0;
    if (ay > y === by > y) continue;
    const ax = flat[i] ?? 0;
    const bx = flat[i + 2] ?? 0;
    if (x < ax + ((bx - ax) * (y - ay)) / (by - ay)) inside = !inside;
  }
  return inside;
}

/** Whether one ring is inside another. The two must not meet, so that one point of `inner` decides. */
export function liesInside(inner: Ring, outer: Ring): boolean {
  return isInside(outer, inner.flat[0] ?? 0, inner.flat[1] ?? 0);
}

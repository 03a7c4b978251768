import type { Cast } from '../cast.ts';
import type { Sighting } from '../sighting.ts';

export type Point = readonly [eastM: number, northM: number, upM: number];

/** Where all that belongs to an actor is, by its name. What is not in the air is nowhere, unless it is ours and may `stand`. */
export function pointsOf({ places, spots }: Sighting, cast: Cast, actorId: string, stand: boolean): Map<string, Point> {
  const points = new Map<string, Point>();
  for (const [i, { id, airborne, kind }] of places.entries()) {
    if (!cast.isOf(id, actorId) || !(airborne || (stand && kind === 'asset'))) continue;
    points.set(id, [spots[3 * i] ?? 0, spots[3 * i + 1] ?? 0, spots[3 * i + 2] ?? 0]);
  }
  return points;
}

/** The least distance of two things between two looks, each flying straight; over ground where `flat`. */
export function leastBetween(a0: Point, a1: Point, b0: Point, b1: Point, flat: boolean): number {
  const [x, y, z] = less(a0, b0);
  const [toX, toY, toZ] = less(a1, b1);
  const up = flat ? 0 : 1;
  const [dx, dy, dz] = [toX - x, toY - y, (toZ - z) * up];
  const length2 = dx * dx + dy * dy + dz * dz;
  const along = length2 === 0 ? 0 : -(x * dx + y * dy + z * up * dz) / length2;
  const share = Math.min(1, Math.max(0, along));
  return Math.hypot(x + share * dx, y + share * dy, z * up + share * dz);
}

/** The least distance of any of one and any of others, from one look to the next. */
export class LeastDistance {
  #before: { a: ReadonlyMap<string, Point>; b: ReadonlyMap<string, Point> } | null = null;

  /** Infinite where one of them is nowhere. */
  next(a: ReadonlyMap<string, Point>, b: ReadonlyMap<string, Point>, flat: boolean): number {
    let least = Number.POSITIVE_INFINITY;
    for (const [idA, atA] of a)
      for (const [idB, atB] of b) {
        if (idA === idB) continue;
        const [fromA, fromB] = [this.#before?.a.get(idA) ?? atA, this.#before?.b.get(idB) ?? atB];
        least = Math.min(least, leastBetween(fromA, atA, fromB, atB, flat));
      }
    this.#before = { a, b };
    return least;
  }
}

function less(a: Point, b: Point): Point {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

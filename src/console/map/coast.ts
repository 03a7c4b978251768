import { type Place, unitOf } from './camera.ts';

/**
 * Resolution of the coordinates in the file: number of steps across the width of the world, 400 m each at the equator.
 */
const STEPS = 100_000;

/** One ring of the coast: x and y of its first point in steps, then the difference from each point to the next. */
export type Ring = readonly number[];
/** A ring in the unit square of the projection (x, y, x, y, …) with its bounding box. */
export type Shape = { points: Float64Array; left: number; right: number; top: number; bottom: number };

/** Encodes a ring. Differences in whole steps take a third of the bytes of GeoJSON. */
export function ringOf(places: readonly Place[]): Ring {
  let [beforeX, beforeY] = [0, 0];
  return places.flatMap((place) => {
    const [unitX, unitY] = unitOf(place);
    const [x, y] = [Math.round(unitX * STEPS), Math.round(unitY * STEPS)];
    const step = [x - beforeX, y - beforeY];
    [beforeX, beforeY] = [x, y];
    return step;
  });
}

export function shapeOf(ring: Ring): Shape {
  const points = new Float64Array(ring.length);
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  let [x, y] = [0, 0];
  for (let at = 0; at < ring.length; at += 2) {
    x += (ring[at] ?? 0) / STEPS;
    y += (ring[at + 1] ?? 0) / STEPS;
    [points[at], points[at + 1]] = [x, y];
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  }
  return { points, ...box };
}

import { shapeFault } from '../geo/shape/fault.ts';
import { Fault } from '../model/fault.ts';
import type { Geometry } from '../model/geometry.ts';
import { pathText } from '../model/issue.ts';

/** Positions of all zones, or all regions, of a workspace together: each client holds them. */
const MOST_POSITIONS = 100_000;

/** Throws `invalid_input` naming the ring and the position where a geometry is no area. */
export function checkGeometry(geometry: Geometry): void {
  const fault = shapeFault(geometry);
  if (fault) throw new Fault('invalid_input', `'${pathText(['geometry', ...fault.path])}' ${fault.sentence}`);
}

/** Throws `conflict` where the geometries together would hold more than can be shown. */
export function checkPositions(noun: string, geometry: Geometry, others: readonly { geometry: Geometry }[]): void {
  const held = others.reduce((sum, other) => sum + positionsOf(other.geometry), 0);
  if (held + positionsOf(geometry) <= MOST_POSITIONS) return;
  const sentence = `the ${noun}s of this workspace would have over ${MOST_POSITIONS} positions together; draw them with fewer`;
  throw new Fault('conflict', sentence);
}

/** Kept rows are counted once: a write is judged beside all of them. */
const counts = new WeakMap<Geometry, number>();

function positionsOf(geometry: Geometry): number {
  const known = counts.get(geometry);
  if (known !== undefined) return known;
  const count = countOf(geometry);
  counts.set(geometry, count);
  return count;
}

function countOf({ type, coordinates }: Geometry): number {
  switch (type) {
    case 'Point':
      return 1;
    case 'LineString':
      return coordinates.length;
    case 'Polygon':
      return coordinates.flat().length;
    case 'MultiPolygon':
      return coordinates.flat(2).length;
  }
}

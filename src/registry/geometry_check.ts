import { areaFault } from '../geo/area_fault.ts';
import { shapeFault } from '../geo/shape/fault.ts';
import { conflict, invalidInput } from '../model/fault.ts';
import type { Geometry } from '../model/geometry.ts';
import { pathText } from '../model/issue.ts';

/** Limit of the positions in all regions of a workspace; every client holds them in memory. */
const MOST_POSITIONS = 100_000;

/** Throws `invalid_input` if a geometry is not a valid area; the sentence names the ring and the position. */
export function checkGeometry(geometry: Geometry): void {
  const fault = shapeFault(geometry);
  if (fault) throw invalidInput(`'${pathText(['geometry', ...fault.path])}' ${fault.sentence}`);
}

/** Throws `invalid_input` if distances to an area cannot be computed, although its geometry is valid. */
export function checkMeasurable(geometry: Geometry): void {
  const fault = areaFault(geometry);
  if (fault) throw invalidInput(`'geometry.coordinates' ${fault}`);
}

/** Throws `conflict` if the geometries would have more than `most` positions together. */
export function checkPositions(
  noun: string,
  geometry: Geometry,
  others: readonly { geometry: Geometry }[],
  most = MOST_POSITIONS,
): void {
  const held = others.reduce((sum, other) => sum + positionsOf(other.geometry), 0);
  if (held + positionsOf(geometry) <= most) return;
  const sentence = `the ${noun}s of this workspace would have more than ${most} positions together; draw them with fewer positions`;
  throw conflict(sentence);
}

/** Number of positions of each stored geometry. Cached, because each write is checked against all geometries. */
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

import type { Area, Position } from '../../model/geometry.ts';
import { apart, Plane, type Vector, vectorOf } from './plane.ts';
import { isInside, type Ring } from './rings.ts';

/** Mean radius of the earth (IUGG), m. */
const EARTH_M = 6_371_008.8;

/**
 * One polygon or circle of an area. `reach` is the chord from the middle to the farthest point, in radii of the earth.
 * A chord, unlike a cosine, is exact even for a circle of 1 m.
 */
type Piece = { middle: Vector; reach: number; plane: Plane | null; rings: readonly Ring[] };

/**
 * An area prepared for many tests whether a position is inside. Each piece has a bounding circle on the sphere, so that
 * a comparison with one distance decides most tests. Poles and antimeridian need no special case.
 */
export class Outline {
  readonly #pieces: readonly Piece[];

  /** Requires an area in which `shapeFault` finds no fault. */
  constructor(area: Area) {
    this.#pieces = piecesOf(area);
  }

  /** Radius of the largest bounding circle of the area's pieces, rad. */
  get reach(): number {
    return Math.max(...this.#pieces.map(({ reach }) => 2 * Math.asin(reach / 2)));
  }

  /** Whether a position, given as the result of `vectorOf`, is inside. On the edge either result is possible. */
  contains(place: Vector): boolean {
    for (const piece of this.#pieces) {
      if (apart(place, piece.middle) > piece.reach) continue;
      if (piece.plane === null || isBetween(piece.rings, piece.plane.see(place))) return true;
    }
    return false;
  }
}

function piecesOf(area: Area): Piece[] {
  switch (area.type) {
    case 'Point':
      return [
        {
          middle: vectorOf(area.coordinates),
          reach: 2 * Math.sin(area.radius_m / EARTH_M / 2),
          plane: null,
          rings: [],
        },
      ];
    case 'Polygon':
      return pieceOf(area.coordinates);
    case 'MultiPolygon':
      return area.coordinates.flatMap(pieceOf);
  }
}

/** Prepares one polygon. Edges are straight in the plane, so the farthest point of a polygon is a corner. */
function pieceOf(polygon: readonly (readonly Position[])[]): Piece[] {
  const plane = Plane.about(polygon.flat());
  if (!plane) return [];
  const rings: Ring[] = [];
  for (const ring of polygon) {
    const flat = plane.flatten(ring);
    if (typeof flat === 'number') return [];
    rings.push({ flat, firstEdge: 0, edges: 0 });
  }
  const reach = Math.max(...polygon.flat().map((position) => apart(vectorOf(position), plane.middle)));
  return [{ middle: plane.middle, reach: reach + 1e-9, plane, rings }];
}

/**
 * Whether a point is inside the outer ring and outside the holes: a ray from the point then crosses an odd number of
 * edges.
 */
function isBetween(rings: readonly Ring[], [x, y]: readonly [number, number]): boolean {
  let inside = false;
  for (const ring of rings) if (isInside(ring, x, y)) inside = !inside;
  return inside;
}

import type { Area, Position } from '../../model/geometry.ts';
import { apart, Plane, type Vector, vectorOf } from './plane.ts';
import { isInside, type Ring } from './rings.ts';

/** Mean radius of the earth (IUGG), m. */
const EARTH_M = 6_371_008.8;

/** `reach` is the chord from the middle to the farthest point: unlike a cosine, it is exact for a circle of 1 m too. */
type Piece = { middle: Vector; reach: number; plane: Plane | null; rings: readonly Ring[] };

/**
 * An area prepared for many tests of places inside it. Each piece of the area has a bounding circle on the sphere,
 * which settles most tests with one distance. The poles and the antimeridian need no special case.
 */
export class Outline {
  readonly #pieces: readonly Piece[];

  /** Takes a geometry that `shapeFault` finds good. */
  constructor(area: Area) {
    this.#pieces = piecesOf(area);
  }

  /** Radius of the greatest bounding circle of its pieces, rad. */
  get reach(): number {
    return Math.max(...this.#pieces.map(({ reach }) => 2 * Math.asin(reach / 2)));
  }

  /** Whether a place, given as by `vectorOf`, lies inside. On the edge either result is possible. */
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

/** Edges are straight in the plane, so the farthest point of a polygon is a corner. */
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

/** Whether a point is inside the outer ring and outside its holes: a ray from it crosses an odd number of edges. */
function isBetween(rings: readonly Ring[], [x, y]: readonly [number, number]): boolean {
  let inside = false;
  for (const ring of rings) if (isInside(ring, x, y)) inside = !inside;
  return inside;
}

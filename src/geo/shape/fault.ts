import { type Geometry, MAX_POSITIONS, type Position } from '../../model/geometry.ts';
import { FARTHEST_DEG, Plane } from './plane.ts';
import { edgesOf, isClosed, liesInside, type Ring } from './rings.ts';
import { type Edges, foldsBack, meet } from './segment.ts';
import { sweep } from './sweep.ts';

/** Fault of a geometry: the JSON path to the faulty part, and a sentence that continues after that path. */
export type ShapeFault = { path: readonly (string | number)[]; sentence: string };

const farAway = `is more than ${FARTHEST_DEG} degrees from the middle of the shape: draw a smaller shape`;
const allRound = 'reaches round the whole earth';

/**
 * Returns the reason why a geometry is not a valid area; null if it is valid. Rings must be closed, and must meet
 * neither themselves nor another ring of their polygon. Holes must lie inside the outer ring and outside each other.
 * Each polygon of a MultiPolygon is checked by itself: its polygons may overlap or touch, for example if a shape is cut
 * at the antimeridian.
 */
export function shapeFault(geometry: Geometry): ShapeFault | null {
  const whole = ['coordinates'];
  switch (geometry.type) {
    case 'Point':
      return null;
    case 'LineString':
      return lineFault(geometry.coordinates);
    case 'Polygon':
      return tooMany(geometry.coordinates.flat()) ?? polygonFault(geometry.coordinates, whole);
    case 'MultiPolygon': {
      const many = tooMany(geometry.coordinates.flat(2));
      if (many) return many;
      for (const [place, polygon] of geometry.coordinates.entries()) {
        const fault = polygonFault(polygon, [...whole, place]);
        if (fault) return fault;
      }
      return null;
    }
  }
}

type Path = ShapeFault['path'];

function tooMany({ length }: readonly Position[]): ShapeFault | null {
  if (length <= MAX_POSITIONS) return null;
  return { path: ['coordinates'], sentence: `has ${length} positions: at most ${MAX_POSITIONS} are allowed` };
}

function lineFault(line: readonly Position[]): ShapeFault | null {
  const flat = Plane.about(line)?.flatten(line);
  if (flat === undefined) return { path: ['coordinates'], sentence: allRound };
  if (typeof flat === 'number') return { path: ['coordinates', flat], sentence: farAway };
  const { count } = edgesOf([{ flat, firstEdge: 0, edges: 0 }]);
  return count > 0 ? null : { path: ['coordinates'], sentence: 'has no length: all its positions are equal' };
}

function polygonFault(polygon: readonly (readonly Position[])[], path: Path): ShapeFault | null {
  const open = polygon.findIndex((ring) => !isClosed(ring));
  if (open >= 0) {
    const last = (polygon[open]?.length ?? 0) - 1;
    return {
      path: [...path, open],
      sentence: `is a ring that is not closed: its last position (index ${last}) must equal its first`,
    };
  }
  const plane = Plane.about(polygon.flat());
  if (!plane) return { path, sentence: allRound };
  const rings: Ring[] = [];
  for (const [place, ring] of polygon.entries()) {
    const flat = plane.flatten(ring);
    if (typeof flat === 'number') return { path: [...path, place, flat], sentence: farAway };
    rings.push({ flat, firstEdge: 0, edges: 0 });
  }
  const edges = edgesOf(rings);
  const thin = rings.findIndex((ring) => ring.edges < 3);
  if (thin >= 0) return { path: [...path, thin], sentence: 'is a ring with fewer than 3 different positions' };
  return wrongMeeting(rings, edges, path) ?? misplacedHole(rings, path);
}

function wrongMeeting(rings: readonly Ring[], edges: Edges, path: Path): ShapeFault | null {
  let found: ShapeFault | null = null;
  sweep(edges, (one, other) => {
    found = faultOfTwo(rings, edges, Math.min(one, other), Math.max(one, other), path);
    return found !== null;
  });
  return found;
}

/** Returns the fault of two edges, given by their indices `one` < `other`; null if they have none. */
function faultOfTwo(rings: readonly Ring[], edges: Edges, one: number, other: number, path: Path): ShapeFault | null {
  const [first, second] = [edges.ring[one] ?? 0, edges.ring[other] ?? 0];
  const [from, at] = [edges.from[one] ?? 0, edges.from[other] ?? 0];
  const inOrder = first === second ? following(rings[first], one, other) : null;
  if (inOrder) {
    const [earlier, later] = inOrder;
    if (!foldsBack(edges, earlier, later)) return null;
    const sentence = 'is a position at which the ring turns straight back along the edge before it';
    return { path: [...path, first, edges.from[later] ?? 0], sentence };
  }
  if (!meet(edges, one, other)) return null;
  const sentence =
    first === second
      ? `is a ring that crosses or touches itself: the edges from positions ${from} and ${at} meet`
      : `is a ring that meets another: its edge from position ${at} crosses or touches the edge from position ${from} of ring ${first}`;
  return { path: [...path, second], sentence };
}

/** Returns two edges in the order of their ring; null if they are not consecutive edges of it. */
function following(ring: Ring | undefined, one: number, other: number): [number, number] | null {
  if (other === one + 1) return [one, other];
  return ring && one === ring.firstEdge && other === ring.firstEdge + ring.edges - 1 ? [other, one] : null;
}

function misplacedHole([outer, ...holes]: readonly Ring[], path: Path): ShapeFault | null {
  for (const [i, hole] of holes.entries()) {
    const here = [...path, i + 1];
    if (outer && !liesInside(hole, outer)) {
      return { path: here, sentence: 'is a hole that does not lie inside the outer ring' };
    }
    const over = holes.slice(0, i).findIndex((other) => liesInside(hole, other) || liesInside(other, hole));
    if (over >= 0) return { path: here, sentence: `is a hole that overlaps another hole, ring ${over + 1}` };
  }
  return null;
}

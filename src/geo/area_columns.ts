import type { Geometry, Position } from '../model/geometry.ts';
import { THING, THING_POSITION, THING_RING, THING_SHAPE } from '../model/rows/layouts.ts';
import { packRows, type RowValues } from '../model/rows/pack_row.ts';

/** A zone, an asset or any other area that tracks are measured against. */
export type AreaValue = {
  /** A circle of radius 0 is a point. */
  shape: Geometry | { type: 'Point'; coordinates: Position; radius_m: number };
  /** Heights of the floor and the ceiling above the ellipsoid, m; −∞ for no floor, ∞ for no ceiling. */
  floorM: number;
  ceilingM: number;
  /**
   * True if the approach of tracks is measured. False if only tracks inside the area or within `nearM` are
   * reported.
   */
  measured: boolean;
  /**
   * Distance from the area within which a track is reported, m. If `measured` is true, a track that will come within
   * this distance or cross the edge, within the horizon of prediction, is reported too.
   */
  nearM: number;
};

/**
 * Number of places in the tables of areas and positions that zones must leave free for assets; an asset needs one of
 * each.
 */
export const AREAS_FOR_ASSETS = 200;

/** Packed areas, their rings, and the positions of these rings. */
export type AreaColumns = { protectedAreas: Float64Array; rings: Float64Array; positions: Float64Array };

export function areaColumns(values: readonly AreaValue[]): AreaColumns {
  const things: RowValues<typeof THING>[] = [];
  const rings: RowValues<typeof THING_RING>[] = [];
  const positions: Position[] = [];
  for (const { shape, measured, floorM, ceilingM, nearM } of values) {
    const { polygons, ...form } = formOf(shape);
    const count = polygons.reduce((sum, polygon) => sum + polygon.length, 0);
    things.push({ ...form, measured: measured ? 1 : 0, floorM, ceilingM, nearM, rings: count });
    for (const [place, polygon] of polygons.entries()) {
      for (const ring of polygon) {
        rings.push({ polygon: place, positions: ring.length });
        for (const position of ring) positions.push(position);
      }
    }
  }
  return {
    protectedAreas: packRows(THING, things),
    rings: packRows(THING_RING, rings),
    positions: positionRows(positions),
  };
}

/** Packs positions directly: `packRows` would be slow for up to 100 000 of them. */
function positionRows(positions: readonly Position[]): Float64Array {
  const rows = new Float64Array(positions.length * THING_POSITION.width);
  for (const [i, [lonDeg, latDeg]] of positions.entries()) {
    rows[i * THING_POSITION.width + THING_POSITION.latDeg] = latDeg;
    rows[i * THING_POSITION.width + THING_POSITION.lonDeg] = lonDeg;
  }
  return rows;
}

type Form = { shape: number; sizeM: number; polygons: readonly (readonly (readonly Position[])[])[] };

function formOf(shape: AreaValue['shape']): Form {
  switch (shape.type) {
    case 'Point':
      return { shape: THING_SHAPE.circle, sizeM: shape.radius_m, polygons: [[[shape.coordinates]]] };
    case 'LineString':
      return { shape: THING_SHAPE.corridor, sizeM: shape.width_m, polygons: [[shape.coordinates]] };
    case 'Polygon':
      return { shape: THING_SHAPE.polygons, sizeM: 0, polygons: [shape.coordinates] };
    case 'MultiPolygon':
      return { shape: THING_SHAPE.polygons, sizeM: 0, polygons: shape.coordinates };
  }
}

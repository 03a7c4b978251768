import type { Geometry, Position } from '../model/geometry.ts';

/** A zone, an asset or anything else that has an edge, as tracks are measured against it. */
export type ThingValue = {
  /** A circle of radius 0 is a point. */
  shape: Geometry | { type: 'Point'; coordinates: Position; radius_m: number };
  /** Metres above the ellipsoid; infinite where there is none. */
  floorM: number;
  ceilingM: number;
  /** True where it is measured how tracks come near; false where only who is inside. */
  measured: boolean;
  /** Who is so near, or will be within the horizon if it is measured, is told of. */
  nearM: number;
};

/** Bounds of native/areas/things.h. */
export const MOST_THINGS = 1_000;
export const MOST_THING_POSITIONS = 100_000;

/** Of them so many are kept free of zones, each of one position, so that there is always room for assets. */
export const THINGS_FOR_ASSETS = 200;

/** Things in the columns of native/areas/columns.h. */
export type ThingColumns = { things: Float64Array; rings: Float64Array; positions: Float64Array };

const FORMS = { polygons: 0, circle: 1, corridor: 2 } as const;

export function thingColumns(values: readonly ThingValue[]): ThingColumns {
  const things: number[] = [];
  const rings: number[] = [];
  const positions: number[] = [];
  for (const value of values) {
    const { form, sizeM, polygons } = formOf(value.shape);
    const count = polygons.reduce((sum, polygon) => sum + polygon.length, 0);
    things.push(form, value.measured ? 1 : 0, value.floorM, value.ceilingM, value.nearM, sizeM, count);
    for (const [place, polygon] of polygons.entries()) {
      for (const ring of polygon) {
        rings.push(place, ring.length);
        for (const [lon, lat] of ring) positions.push(lat, lon);
      }
    }
  }
  return {
    things: Float64Array.from(things),
    rings: Float64Array.from(rings),
    positions: Float64Array.from(positions),
  };
}

type Form = { form: number; sizeM: number; polygons: readonly (readonly (readonly Position[])[])[] };

function formOf(shape: ThingValue['shape']): Form {
  switch (shape.type) {
    case 'Point':
      return { form: FORMS.circle, sizeM: shape.radius_m, polygons: [[[shape.coordinates]]] };
    case 'LineString':
      return { form: FORMS.corridor, sizeM: shape.width_m, polygons: [[shape.coordinates]] };
    case 'Polygon':
      return { form: FORMS.polygons, sizeM: 0, polygons: [shape.coordinates] };
    case 'MultiPolygon':
      return { form: FORMS.polygons, sizeM: 0, polygons: shape.coordinates };
  }
}

import { z } from 'zod';
import { lat, lon, positiveUpTo } from './scalar.ts';

/**
 * Limit of the positions of one geometry; it bounds the time of geometric checks. For all rings together, `shapeFault`
 * checks it.
 */
export const MAX_POSITIONS = 10_000;
const MAX_RINGS = 1_000;

/** Longitude first, as in GeoJSON (RFC 7946, 3.1.1). Heights are fields beside the geometry. */
export const positionSchema = z
  .tuple([lon, lat], 'must be [longitude, latitude] in degrees: lon -180 to 180, lat -90 to 90')
  .meta({ id: 'Position', description: '[longitude, latitude], WGS 84 degrees' });
export type Position = z.infer<typeof positionSchema>;

const ring = z.array(positionSchema).min(4).max(MAX_POSITIONS);
const polygon = z.array(ring).min(1).max(MAX_RINGS);
const metres = positiveUpTo(100_000);

const polygonSchema = z.strictObject({ type: z.literal('Polygon'), coordinates: polygon });
const multiPolygonSchema = z.strictObject({
  type: z.literal('MultiPolygon'),
  coordinates: z.array(polygon).min(1).max(MAX_RINGS),
});
const circleSchema = z.strictObject({
  type: z.literal('Point'),
  coordinates: positionSchema,
  radius_m: metres.describe('radius around the point, m'),
});
const corridorSchema = z.strictObject({
  type: z.literal('LineString'),
  coordinates: z.array(positionSchema).min(2).max(MAX_POSITIONS),
  width_m: metres.describe('full width around the line, m'),
});

/**
 * Area on the earth's surface. Edges are shortest paths over the earth, so polygons across the antimeridian or around a
 * pole need no special treatment. A ring encloses the smaller of its two sides, in whatever direction its points run.
 */
export const areaSchema = z
  .discriminatedUnion('type', [polygonSchema, multiPolygonSchema, circleSchema])
  .meta({ id: 'Area', description: 'GeoJSON Polygon or MultiPolygon with holes, or a Point with radius_m' });
export type Area = z.infer<typeof areaSchema>;

export const geometrySchema = z
  .discriminatedUnion('type', [polygonSchema, multiPolygonSchema, circleSchema, corridorSchema])
  .meta({
    id: 'Geometry',
    description:
      'GeoJSON Polygon or MultiPolygon with holes, a Point with radius_m, or a LineString with width_m. Edges are the shortest ways over the earth; the smaller side of a ring is its inside.',
  });
export type Geometry = z.infer<typeof geometrySchema>;

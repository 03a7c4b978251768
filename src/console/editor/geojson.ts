import type { Position } from '../../model/geometry.ts';
import type { Shape } from '../state/draft.ts';

/** Outline from a pasted text; `sizeM` is its radius or width, m, and null where the text has none. */
export type Pasted = { shape: Shape; points: Position[]; sizeM: number | null };

/** Reason why a text is no outline. With `badPosition`, `position` is the number of the faulty position, from 1. */
export type PasteFault = {
  why: 'noJson' | 'noGeojson' | 'oneFeature' | 'types' | 'oneRing' | 'noCoordinates' | 'badPosition';
  position?: number;
};

/**
 * Outline of a GeoJSON text (RFC 7946): a Polygon of one ring, a Point or a LineString, alone, in a Feature, or as the
 * only Feature of a collection. Heights of positions are dropped.
 */
export function pastedOutline(text: string): Pasted | PasteFault {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { why: 'noJson' };
  }
  return outlineOf(parsed);
}

function outlineOf(value: unknown): Pasted | PasteFault {
  if (typeof value !== 'object' || value === null) return { why: 'noGeojson' };
  const { type, features, geometry, coordinates, radius_m, width_m } = value as Record<string, unknown>;
  switch (type) {
    case 'FeatureCollection':
      if (!Array.isArray(features) || features.length !== 1) return { why: 'oneFeature' };
      return outlineOf(features[0]);
    case 'Feature':
      return outlineOf(geometry);
    case 'Point':
      return outline('circle', [coordinates], radius_m);
    case 'LineString':
      return outline('corridor', coordinates, width_m);
    case 'Polygon':
      return ringOf(coordinates);
    default:
      return { why: 'types' };
  }
}

function ringOf(rings: unknown): Pasted | PasteFault {
  if (!Array.isArray(rings) || rings.length !== 1 || !Array.isArray(rings[0])) return { why: 'oneRing' };
  const points = outline('polygon', rings[0], null);
  if ('why' in points) return points;
  const [first, last] = [points.points[0], points.points.at(-1)];
  const isClosed = points.points.length > 1 && first?.[0] === last?.[0] && first?.[1] === last?.[1];
  return isClosed ? { ...points, points: points.points.slice(0, -1) } : points;
}

function outline(shape: Shape, coordinates: unknown, size: unknown): Pasted | PasteFault {
  if (!Array.isArray(coordinates)) return { why: 'noCoordinates' };
  const points: Position[] = [];
  for (const position of coordinates) {
    const [lon, lat] = Array.isArray(position) ? (position as unknown[]) : [];
    if (!isWithin(lon, 180) || !isWithin(lat, 90)) return { why: 'badPosition', position: points.length + 1 };
    points.push([lon, lat]);
  }
  return { shape, points, sizeM: typeof size === 'number' && size > 0 ? size : null };
}

const isWithin = (value: unknown, most: number): value is number =>
  typeof value === 'number' && Math.abs(value) <= most;

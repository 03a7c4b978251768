import type { Geometry } from '../../model/geometry.ts';
import type { Place } from '../map/camera.ts';
import { ringsOf } from '../map/shapes.ts';

/** Longitude relative to another one, so that a ring across the antimeridian has no jump. */
const lonFrom = (origin: number, lon: number): number => ((((lon - origin + 180) % 360) + 360) % 360) - 180;

/**
 * Whether a place is over a geometry: a line to the north crosses an odd number of edges. Edges are straight in degrees
 * here, and differ by some metres from the box's shortest paths on edges of 10 km. The box decides; this is only for
 * display.
 */
export function isOver(geometry: Geometry, { lat, lon }: Place): boolean {
  let isInside = false;
  for (const ring of ringsOf(geometry))
    for (const [index, to] of ring.entries()) {
      const from = ring[(index + ring.length - 1) % ring.length] ?? to;
      const [a, b] = [lonFrom(lon, from.lon), lonFrom(lon, to.lon)];
      if (a > 0 === b > 0 || Math.abs(a - b) > 180) continue;
      if (from.lat + ((to.lat - from.lat) * -a) / (b - a) > lat) isInside = !isInside;
    }
  return isInside;
}

/** Mean of the vertices of the first ring: about the place at which the box takes ground height and geoid height. */
export function middleOf(geometry: Geometry): Place {
  const ring = ringsOf(geometry)[0] ?? [];
  const first = ring[0] ?? { lat: 0, lon: 0 };
  const mean = (of: (place: Place) => number): number =>
    ring.reduce((sum, place) => sum + of(place), 0) / Math.max(1, ring.length);
  return { lat: mean(({ lat }) => lat), lon: first.lon + mean(({ lon }) => lonFrom(first.lon, lon)) };
}

/** Extent of a geometry in degrees of latitude. Of several regions over a place, that of the smallest extent applies. */
export function spanOf(geometry: Geometry): number {
  const lats = ringsOf(geometry).flatMap((ring) => ring.map(({ lat }) => lat));
  return Math.max(...lats) - Math.min(...lats);
}

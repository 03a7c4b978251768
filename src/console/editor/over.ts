import type { Geometry } from '../../model/geometry.ts';
import type { Region } from '../../model/region.ts';
import type { Place } from '../map/camera.ts';
import { ringsOf } from '../map/shapes.ts';

/** Longitude relative to `origin`, −180 to 180 degrees, so that a ring across the antimeridian has no jump. */
const lonFrom = (origin: number, lon: number): number => ((((lon - origin + 180) % 360) + 360) % 360) - 180;

/**
 * Whether a place is over a geometry: a line to the north crosses an odd number of edges. This is only for display; the
 * daemon decides. Edges are straight in degrees here, and shortest paths in the daemon. On an edge of 10 km they differ
 * by some metres.
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

/** Mean of the vertices of the first ring. The daemon reads ground height and geoid height at about the same place. */
export function middleOf(geometry: Geometry): Place {
  const ring = ringsOf(geometry)[0] ?? [];
  const first = ring[0] ?? { lat: 0, lon: 0 };
  const mean = (of: (place: Place) => number): number =>
    ring.reduce((sum, place) => sum + of(place), 0) / Math.max(1, ring.length);
  return { lat: mean(({ lat }) => lat), lon: first.lon + mean(({ lon }) => lonFrom(first.lon, lon)) };
}

/** Regions over a place. Where regions overlap, the one with the smallest extent applies; it comes first. */
export function regionsOver(place: Place, regions: readonly Region[]): Region[] {
  return regions
    .filter(({ geometry }) => isOver(geometry, place))
    .toSorted((a, b) => spanOf(a.geometry) - spanOf(b.geometry));
}

/** Extent of a geometry, degrees of latitude. */
function spanOf(geometry: Geometry): number {
  const lats = ringsOf(geometry).flatMap((ring) => ring.map(({ lat }) => lat));
  return Math.max(...lats) - Math.min(...lats);
}

import type { Zone } from '../../model/zone.ts';
import { distanceAndCourse, type Place } from './camera.ts';
import { ringsOf } from './shapes.ts';

/** Name of a zone or site, and distance and course from its centre to a place. */
export type Bearing = { name: string; distanceM: number; courseDeg: number };

function centreOf({ geometry }: Pick<Zone, 'geometry'>): Place | null {
  const [ring] = ringsOf(geometry);
  // The last point repeats the first one.
  const points = ring?.slice(1) ?? [];
  if (points.length === 0) return null;
  const mean = (of: (place: Place) => number): number => points.reduce((sum, one) => sum + of(one), 0) / points.length;
  return { lat: mean(({ lat }) => lat), lon: mean(({ lon }) => lon) };
}

/** A place as seen from the centre of the nearest protected zone; null where no zone is protected. */
export function fromProtected(place: Place, zones: readonly Zone[]): Bearing | null {
  const found = zones.flatMap((zone) => {
    const centre = zone.kind === 'protected' ? centreOf(zone) : null;
    return centre === null ? [] : [{ name: zone.name, ...distanceAndCourse(centre, place) }];
  });
  return found.sort((a, b) => a.distanceM - b.distanceM)[0] ?? null;
}

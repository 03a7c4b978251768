import type { BaseMap } from '../../model/base_map.ts';
import type { Place } from './camera.ts';

/**
 * The base map to draw. If the chosen map is missing or cannot be read, the choice is automatic: the map with the
 * highest zoom among the readable maps that contain the site; while the site is unknown, among all readable maps. Null
 * for `none`, and where no map fits.
 */
export function chosen(maps: readonly BaseMap[], name: string, site: Place | null): BaseMap | null {
  if (name === 'none') return null;
  const readable = maps.filter(({ state }) => state === 'ready');
  const named = readable.find(({ id }) => id === name);
  if (named) return named;
  const [best] = readable
    .filter(({ bounds }) => site === null || bounds === null || holds(bounds, site))
    .sort((a, b) => (b.max_zoom ?? 0) - (a.max_zoom ?? 0));
  return best ?? null;
}

/** Whether bounds [west, south, east, north] contain a place; across the antimeridian, west is greater than east. */
function holds([west = -180, south = -90, east = 180, north = 90]: readonly number[], { lat, lon }: Place): boolean {
  const isBetween = west <= east ? lon >= west && lon <= east : lon >= west || lon <= east;
  return isBetween && lat >= south && lat <= north;
}

import { store } from '../console.ts';
import type { Place } from './camera.ts';
import { ringsOf } from './shapes.ts';
import { show } from './view.ts';

/** Places that the first view shows: zones and regions, else sensors, else tracks. */
export function sitePlaces(): Place[] {
  const areas = [...store.zones.list(), ...store.regions.list()].flatMap(({ geometry }) => ringsOf(geometry).flat());
  if (areas.length > 0) return areas;
  const sensors = store.sensors.list().flatMap(({ placement }) => placement ?? []);
  return sensors.length > 0 ? sensors : store.tracks.list().flatMap(({ position }) => position ?? []);
}

/** Shows the whole site. */
export function fitSite(): void {
  show(sitePlaces());
}

import { type Signal, signal } from '@preact/signals';
import { type Camera, EVEN, fitted, type Padding, type Place } from './camera.ts';

/** The camera of the map; null until the map has a size. */
export const camera: Signal<Camera | null> = signal(null);

/** Room along the edges of the map, where buttons lie. `show` keeps places out of it. */
let padding: Padding = EVEN;
export function keepClear(room: Padding): void {
  padding = room;
}

/** Moves the camera to show places. Does nothing without places, or while the map has no size. */
export function show(places: readonly Place[]): void {
  const now = camera.peek();
  if (now && places.length > 0) camera.value = fitted(now, places, padding);
}

/** Centres the map on a place, at the same zoom. */
export function centre({ lat, lon }: Place): void {
  const now = camera.peek();
  if (now) camera.value = { ...now, lat, lon };
}

import { type Signal, signal } from '@preact/signals';
import { type Camera, fitted, type Place } from './camera.ts';

/** The camera of the map; null until the map has a size. */
export const camera: Signal<Camera | null> = signal(null);

/** Shows places, where the map has a size. */
export function show(places: readonly Place[]): void {
  const now = camera.peek();
  if (now && places.length > 0) camera.value = fitted(now, places);
}

/** Puts a place in the middle, at the same zoom. */
export function centre({ lat, lon }: Place): void {
  const now = camera.peek();
  if (now) camera.value = { ...now, lat, lon };
}

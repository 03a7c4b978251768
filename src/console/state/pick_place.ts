import { type Signal, signal } from '@preact/signals';

/** The form that waits for a click on the map; null where a click selects a track. */
export const picking: Signal<((place: string) => void) | null> = signal(null);

/** Asks for a place: the next click on the map gives its latitude and longitude. A second call ends the asking. */
export function pickPlace(take: (place: string) => void): void {
  picking.value = picking.peek() === null ? take : null;
}

/** Gives a clicked place to the form that waits for it. Returns whether one did. */
export function givePlace({ lat, lon }: { lat: number; lon: number }): boolean {
  const take = picking.peek();
  picking.value = null;
  take?.(`${lat.toFixed(6)}, ${lon.toFixed(6)}`);
  return take !== null;
}

import { type Signal, signal } from '@preact/signals';

/** The form that waits for a place; null where a click on the map selects a track. */
export const picking: Signal<((place: string) => void) | null> = signal(null);

/** Makes the next click on the map pass its latitude and longitude to `take`. A second call cancels this. */
export function pickPlace(take: (place: string) => void): void {
  picking.value = picking.peek() === null ? take : null;
}

/** Passes a clicked place to the form that waits for one. Returns false if no form waits. */
export function givePlace({ lat, lon }: { lat: number; lon: number }): boolean {
  const take = picking.peek();
  picking.value = null;
  take?.(`${lat.toFixed(6)}, ${lon.toFixed(6)}`);
  return take !== null;
}

import { type Signal, signal } from '@preact/signals';

/** A measured place; `name` is the number of the track at the place, and null for a place on the ground. */
export type Place = { lat: number; lon: number; name: string | null };

/** A measurement on the map: two clicked places. `to` is null until the second click. */
export type Measurement = { from: Place | null; to: Place | null };

/** The measurement; null where nobody measures. */
export const measurement: Signal<Measurement | null> = signal(null);

export function toggleMeasurement(): void {
  measurement.value = measurement.peek() === null ? { from: null, to: null } : null;
}

/** Takes a clicked place. A third click begins a new line at its place. Returns false if nobody measures. */
export function measure(place: Place): boolean {
  const now = measurement.peek();
  if (now === null) return false;
  measurement.value = now.from === null || now.to !== null ? { from: place, to: null } : { ...now, to: place };
  return true;
}

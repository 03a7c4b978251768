/**
 * Whatever is kept of tracks, by their numbers. The tracker counts them in 32 bits: as whole numbers of so many they are found many
 * times sooner than as numbers that might be any, which is how they lie in rows.
 */
export class ByTrack<T> {
  readonly #entries = new Map<number, T>();

  get(number: number): T | undefined {
    return this.#entries.get(number | 0);
  }

  set(number: number, value: T): void {
    this.#entries.set(number | 0, value);
  }

  delete(number: number): void {
    this.#entries.delete(number | 0);
  }

  values(): IterableIterator<T> {
    return this.#entries.values();
  }
}

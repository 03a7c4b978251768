/**
 * Values kept by track number. The tracker counts in 32 bits: V8 finds integers many times sooner than the doubles of a
 * row.
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

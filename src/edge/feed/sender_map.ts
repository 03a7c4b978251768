/** A map of so many senders at most: the longest unheard makes room. */
export class SenderMap<T> {
  readonly #map = new Map<string, T>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  has(key: string): boolean {
    return this.#map.has(key);
  }

  delete(key: string): void {
    this.#map.delete(key);
  }

  of(key: string, make: () => T): T {
    const value = this.#map.get(key) ?? make();
    this.#map.delete(key);
    this.#map.set(key, value);
    if (this.#map.size > this.#limit) {
      const oldest = this.#map.keys().next();
      if (!oldest.done) this.#map.delete(oldest.value);
    }
    return value;
  }
}

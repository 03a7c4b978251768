/** Listeners of one event. They are called synchronously, in the order in which they were added. */
export class Listeners<Args extends unknown[] = []> {
  readonly #all = new Set<(...args: Args) => void>();

  get size(): number {
    return this.#all.size;
  }

  /** Adds a listener. Returns the function that removes this listener. */
  add(listener: (...args: Args) => void): () => void {
    this.#all.add(listener);
    return () => void this.#all.delete(listener);
  }

  emit(...args: Args): void {
    for (const listener of this.#all) listener(...args);
  }
}

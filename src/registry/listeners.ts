/** Those who are told of a change, once it is on the disk. */
export class Listeners<Told extends unknown[] = []> {
  readonly #all = new Set<(...told: Told) => void>();

  /** The answer lets it be told no more. */
  add(listener: (...told: Told) => void): () => void {
    this.#all.add(listener);
    return () => void this.#all.delete(listener);
  }

  tell(...told: Told): void {
    for (const listener of this.#all) listener(...told);
  }
}

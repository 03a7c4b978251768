type Recent<E> = { older: E | null; newer: E | null };

/**
 * Linked list of senders in the order of their last reception. A Map would need a delete and a set for each
 * reception, and would therefore rebuild its table repeatedly.
 */
export class Recency<E extends Recent<E>> {
  #oldest: E | null = null;
  #newest: E | null = null;

  get oldest(): E | null {
    return this.#oldest;
  }

  add(entry: E): void {
    entry.older = this.#newest;
    entry.newer = null;
    if (this.#newest) this.#newest.newer = entry;
    else this.#oldest = entry;
    this.#newest = entry;
  }

  receivedAgain(entry: E): void {
    if (entry === this.#newest) return;
    this.remove(entry);
    this.add(entry);
  }

  remove(entry: E): void {
    if (entry.older) entry.older.newer = entry.newer;
    else this.#oldest = entry.newer;
    if (entry.newer) entry.newer.older = entry.older;
    else this.#newest = entry.older;
  }

  /** Iterates from the sender with the oldest reception to the newest. */
  *[Symbol.iterator](): Iterator<E> {
    for (let entry = this.#oldest; entry; entry = entry.newer) yield entry;
  }
}

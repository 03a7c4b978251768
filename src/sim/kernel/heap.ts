type Entry<T> = { key: number; order: number; value: T };

/**
 * Binary heap of values, sorted by key. Among equal keys the lowest `order` comes first; by default that is the value
 * added first.
 */
export class Heap<T> {
  readonly #entries: Entry<T>[] = [];
  #added = 0;

  /** Key of the first value; Infinity if the heap is empty. */
  get least(): number {
    return this.#entries[0]?.key ?? Number.POSITIVE_INFINITY;
  }

  add(key: number, value: T, order = this.#added++): void {
    const entries = this.#entries;
    const entry = { key, order, value };
    let at = entries.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = entries[above] as Entry<T>;
      if (!isBefore(entry, parent)) break;
      entries[at] = parent;
      at = above;
    }
    entries[at] = entry;
  }

  /** Removes and returns the first value; undefined if the heap is empty. */
  take(): T | undefined {
    const entries = this.#entries;
    const first = entries[0];
    const last = entries.pop();
    if (entries.length > 0 && last) this.#sink(last);
    return first?.value;
  }

  /** Removes and yields all values up to and including a key, in order. */
  *takeUpTo(key: number): Generator<T> {
    while (this.least <= key) yield this.take() as T;
  }

  clear(): void {
    this.#entries.length = 0;
  }

  #sink(entry: Entry<T>): void {
    const entries = this.#entries;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= entries.length) break;
      const [left, right] = [entries[below] as Entry<T>, entries[below + 1]];
      if (right && isBefore(right, left)) below++;
      const child = entries[below] as Entry<T>;
      if (!isBefore(child, entry)) break;
      entries[at] = child;
      at = below;
    }
    entries[at] = entry;
  }
}

function isBefore(a: Entry<unknown>, b: Entry<unknown>): boolean {
  return a.key < b.key || (a.key === b.key && a.order < b.order);
}

type Entry<T> = { atMs: number; order: number; value: T };

/** Things by their time: a heap, in which what has the same time keeps the order in which it was added. */
export class Agenda<T> {
  readonly #heap: Entry<T>[] = [];
  #added = 0;

  get dueMs(): number {
    return this.#heap[0]?.atMs ?? Number.POSITIVE_INFINITY;
  }

  get size(): number {
    return this.#heap.length;
  }

  add(atMs: number, value: T): void {
    const heap = this.#heap;
    const entry = { atMs, order: this.#added++, value };
    let at = heap.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above] as Entry<T>;
      if (!isBefore(entry, parent)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = entry;
  }

  /** The earliest; undefined where there is nothing. */
  take(): T | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (heap.length > 0 && last) this.#sink(last);
    return first?.value;
  }

  #sink(entry: Entry<T>): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      const [left, right] = [heap[below] as Entry<T>, heap[below + 1]];
      if (right && isBefore(right, left)) below++;
      const child = heap[below] as Entry<T>;
      if (!isBefore(child, entry)) break;
      heap[at] = child;
      at = below;
    }
    heap[at] = entry;
  }
}

function isBefore(a: Entry<unknown>, b: Entry<unknown>): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}

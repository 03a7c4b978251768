type Entry<T> = { readonly key: string; readonly value: T; older: Entry<T> | null; newer: Entry<T> | null };

/**
 * A map of so many senders at most: the longest unheard makes room. Entries are linked in the order in which they were
 * last heard; moving them within a Map by deleting and setting would make it copy its table again and again.
 */
export class SenderMap<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #limit: number;
  #oldest: Entry<T> | null = null;
  #newest: Entry<T> | null = null;
  /** Entries that made room. */
  evicted = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#entries.size;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#unlink(entry);
  }

  of(key: string, make: () => T): T {
    const known = this.#entries.get(key);
    if (known && known === this.#newest) return known.value;
    if (known) this.#unlink(known);
    const entry = known ?? { key, value: make(), older: null, newer: null };
    if (!known) this.#entries.set(key, entry);
    this.#append(entry);
    if (this.#entries.size > this.#limit && this.#oldest) {
      this.delete(this.#oldest.key);
      this.evicted++;
    }
    return entry.value;
  }

  /** The longest unheard first. */
  values(): T[] {
    const values: T[] = [];
    for (let entry = this.#oldest; entry; entry = entry.newer) values.push(entry.value);
    return values;
  }

  #append(entry: Entry<T>): void {
    entry.older = this.#newest;
    entry.newer = null;
    if (this.#newest) this.#newest.newer = entry;
    else this.#oldest = entry;
    this.#newest = entry;
  }

  #unlink(entry: Entry<T>): void {
    if (entry.older) entry.older.newer = entry.newer;
    else this.#oldest = entry.newer;
    if (entry.newer) entry.newer.older = entry.older;
    else this.#newest = entry.older;
  }
}

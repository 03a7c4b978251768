import { Recency } from '../link/recency.ts';

type Entry<T> = { readonly key: string; readonly value: T; older: Entry<T> | null; newer: Entry<T> | null };

/** Map of a limited number of senders. When full, the sender with the oldest last reception is evicted. */
export class SenderMap<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #recency = new Recency<Entry<T>>();
  readonly #limit: number;
  /** Number of entries evicted to make room for newer senders. */
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
    this.#recency.remove(entry);
  }

  /** Notes another reception of a sender and returns its value; undefined for an unknown sender. */
  again(key: string): T | undefined {
    const known = this.#entries.get(key);
    if (known) this.#recency.receivedAgain(known);
    return known?.value;
  }

  /** Notes a reception of a sender and returns its value, which `make` creates for a new sender. */
  of(key: string, make: () => T): T {
    const known = this.#entries.get(key);
    if (known) {
      this.#recency.receivedAgain(known);
      return known.value;
    }
    const entry: Entry<T> = { key, value: make(), older: null, newer: null };
    this.#entries.set(key, entry);
    this.#recency.add(entry);
    const { oldest } = this.#recency;
    if (this.#entries.size > this.#limit && oldest) {
      this.delete(oldest.key);
      this.evicted++;
    }
    return entry.value;
  }

  /** Returns all values. The value of the sender with the oldest last reception comes first. */
  values(): T[] {
    return Array.from(this.#recency, ({ value }) => value);
  }
}

import { Recency } from '../link/recency.ts';

type Entry<T> = {
  readonly key: string;
  readonly value: T;
  /** Time of the last reception, s: whole seconds need no memory of their own. */
  atS: number;
  older: Entry<T> | null;
  newer: Entry<T> | null;
};

/**
 * Time without a message after which a sender of short memory is forgotten, ms. Without it a busy box would need hours to
 * fill its maps, and grow until then.
 */
export const FORGET_SILENT_MS = 900_000;

/**
 * Map of a limited number of senders. When full, the sender with the oldest last reception is evicted. A new sender also
 * evicts those that were silent for `silentMs`.
 */
export class SenderMap<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #recency = new Recency<Entry<T>>();
  readonly #limit: number;
  readonly #silentS: number;
  /** Number of entries evicted to make room for newer senders. */
  evicted = 0;

  /** With `silentMs`, each reception needs its time. */
  constructor(limit: number, silentMs = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
    this.#silentS = silentMs / 1000;
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
  again(key: string, atMs = 0): T | undefined {
    const known = this.#entries.get(key);
    if (!known) return undefined;
    this.#recency.receivedAgain(known);
    known.atS = Math.floor(atMs / 1000);
    return known.value;
  }

  /** Notes a reception of a sender and returns its value, which `make` creates for a new sender. */
  of(key: string, make: () => T, atMs = 0): T {
    const known = this.#entries.get(key);
    const atS = Math.floor(atMs / 1000);
    if (known) {
      this.#recency.receivedAgain(known);
      known.atS = atS;
      return known.value;
    }
    const entry: Entry<T> = { key, value: make(), atS, older: null, newer: null };
    this.#entries.set(key, entry);
    this.#recency.add(entry);
    this.#evict(atS);
    return entry.value;
  }

  #evict(nowS: number): void {
    for (let { oldest } = this.#recency; oldest; oldest = this.#recency.oldest) {
      const isTooMany = this.#entries.size > this.#limit;
      const isSilent = nowS - oldest.atS >= this.#silentS;
      if (!isTooMany && !isSilent) return;
      this.delete(oldest.key);
      if (isTooMany) this.evicted++;
    }
  }

  /** Returns all values. The value of the sender with the oldest last reception comes first. */
  values(): T[] {
    return Array.from(this.#recency, ({ value }) => value);
  }
}

type Entry<State> = { state: State; usedAt: number };

/**
 * Decoder state for each of a limited number of senders. Anybody can invent sender addresses on a LAN. Beyond the
 * limit the sender with the oldest last use is therefore evicted and counted.
 */
export class Senders<State> {
  readonly #entries = new Map<string, Entry<State>>();
  readonly #make: () => State;
  readonly #drop: (state: State) => void;
  readonly #limit: number;
  #uses = 0;
  /** Number of evicted senders. */
  evicted = 0;

  /** Calls `drop` with the state of each sender that is forgotten or evicted. */
  constructor(limit: number, make: () => State, drop: (state: State) => void) {
    this.#limit = limit;
    this.#make = make;
    this.#drop = drop;
  }

  get size(): number {
    return this.#entries.size;
  }

  *states(): Generator<State> {
    for (const { state } of this.#entries.values()) yield state;
  }

  of(from: string): State {
    const usedAt = ++this.#uses;
    const entry = this.#entries.get(from);
    if (entry !== undefined) {
      entry.usedAt = usedAt;
      return entry.state;
    }
    if (this.#entries.size >= this.#limit) this.#evict();
    const state = this.#make();
    this.#entries.set(from, { state, usedAt });
    return state;
  }

  forget(from: string): void {
    const entry = this.#entries.get(from);
    if (entry === undefined) return;
    this.#entries.delete(from);
    this.#drop(entry.state);
  }

  /**
   * Evicts the sender with the oldest last use. Searches all entries, but only when a new sender meets a full table;
   * every other use costs one look-up.
   */
  #evict(): void {
    let oldest: string | null = null;
    let oldestUse = Number.POSITIVE_INFINITY;
    for (const [from, { usedAt }] of this.#entries) {
      if (usedAt >= oldestUse) continue;
      oldest = from;
      oldestUse = usedAt;
    }
    if (oldest === null) return;
    this.forget(oldest);
    this.evicted++;
  }
}

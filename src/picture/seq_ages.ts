/** Least count of remembered flushes: 24 s at fifty a second. */
const MOST = 1_200;

/** Ages of outdated pictures, by their sequence number. */
export class SeqAges {
  /** Last number of each flush and its time, in order. */
  #given: { seq: number; ms: number }[] = [];

  /** Numbers up to `seq` have been given now. */
  add(seq: number, nowMs: number): void {
    if ((this.#given.at(-1)?.seq ?? 0) >= seq) return;
    this.#given.push({ seq, ms: nowMs });
    if (this.#given.length > 2 * MOST) this.#given = this.#given.slice(-MOST);
  }

  /**
   * Time since an event after `seq` was published; 0 while there is none. Null for a number that was not given yet, and for one
   * too long ago.
   */
  ageMs(seq: number, lastSeq: number, nowMs: number): number | null {
    if (seq > lastSeq) return null;
    if (seq === lastSeq) return 0;
    const next = this.#given.findIndex((given) => given.seq > seq);
    const found = this.#given[next];
    // Numbers before the first remembered one may be forgotten.
    if (!found || (next === 0 && this.#given.length >= MOST)) return null;
    return nowMs - found.ms;
  }
}

/** So many flushes are remembered at least: at fifty a second 24 s, and what is older is too old for anybody. */
const MOST = 1_200;

/** Since when a picture of a number is not what holds any more. */
export class SeqAges {
  /** When the number after each was given, in order. */
  #given: { seq: number; ms: number }[] = [];

  /** Numbers up to `seq` have been given now. */
  add(seq: number, nowMs: number): void {
    if ((this.#given.at(-1)?.seq ?? 0) >= seq) return;
    this.#given.push({ seq, ms: nowMs });
    if (this.#given.length > 2 * MOST) this.#given = this.#given.slice(-MOST);
  }

  /**
   * For how long something newer than `seq` has been told: 0 while nothing has. Null for a number that was not given yet,
   * and for one that is too long ago to be known.
   */
  ageMs(seq: number, lastSeq: number, nowMs: number): number | null {
    if (seq > lastSeq) return null;
    if (seq === lastSeq) return 0;
    const next = this.#given.findIndex((given) => given.seq > seq);
    const found = this.#given[next];
    // Before the first that is remembered may lie numbers that were forgotten.
    if (!found || (next === 0 && this.#given.length >= MOST)) return null;
    return nowMs - found.ms;
  }
}

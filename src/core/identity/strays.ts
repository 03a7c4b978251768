/** Reports of one transmitter that are less than this apart, s, are copies of one transmission and count once. */
export const APART_S = 0.9;
/** Greatest gap between contradicting transmissions that are counted together, s. */
export const STRAYS_S = 15;

/** Counts contradicting transmissions. The count restarts after a gap of more than `STRAYS_S`. */
export class Strays {
  #count = 0;
  /** World time of the first and of the last counted transmission, s. */
  firstS = Number.NEGATIVE_INFINITY;
  #lastS = Number.NEGATIVE_INFINITY;

  count(receivedS: number): number {
    return receivedS - this.#lastS > STRAYS_S ? 0 : this.#count;
  }

  add(receivedS: number): number {
    if (this.count(receivedS) === 0) {
      this.#count = 0;
      this.firstS = receivedS;
    } else if (receivedS - this.#lastS < APART_S) return this.#count;
    this.#lastS = receivedS;
    return ++this.#count;
  }

  clear(): void {
    this.#count = 0;
  }
}

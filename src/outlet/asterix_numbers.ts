/**
 * Least and greatest track number of CAT 062. Numbers have 12 bits, because older displays use no more. 0 and 4 095 are
 * not used for tracks.
 */
const LEAST = 1;
const MOST = 4_094;
/** Track number of the test item. */
export const TEST_NUMBER = 4_095;

/**
 * Numbers of the tracks that are sent: the 12 low bits of each track's own number, or the next free number. A track
 * that ended keeps its number until all are in use. Then the least recently used number becomes free.
 */
export class TrackNumbers {
  /** Numbers by track id, in the order of their last use. */
  readonly #byTrack = new Map<string, number>();
  readonly #taken = new Set<number>();

  /** Returns the number of a track; `ownNumber` is its number in Dunlin, for example `T-0042`. */
  of(trackId: string, ownNumber: string): number {
    const number = this.#byTrack.get(trackId) ?? this.#next(Number(ownNumber.replace(/\D/g, '')) & 0xfff);
    this.#byTrack.delete(trackId);
    this.#byTrack.set(trackId, number);
    this.#taken.add(number);
    return number;
  }

  #next(wanted: number): number {
    if (this.#taken.size > MOST - LEAST) this.#freeOldest();
    let number = wanted < LEAST || wanted > MOST ? LEAST : wanted;
    while (this.#taken.has(number)) number = number === MOST ? LEAST : number + 1;
    return number;
  }

  #freeOldest(): void {
    for (const [trackId, number] of this.#byTrack) {
      this.#byTrack.delete(trackId);
      this.#taken.delete(number);
      return;
    }
  }
}

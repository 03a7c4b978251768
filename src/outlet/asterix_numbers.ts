/** Numbers of CAT 062 that tracks have: 12 bits, as older displays keep no more. 0 and the last one are no tracks. */
const LEAST = 1;
const MOST = 4_094;
/** Number of the test item. */
export const TEST_NUMBER = 4_095;

/**
 * Numbers of the tracks that are sent: the 12 low bits of each track's own number, or the next that is free. A track that
 * ended keeps its number until others need it: then that goes which was used least recently.
 */
export class TrackNumbers {
  /** In the order of their last use. */
  readonly #byTrack = new Map<string, number>();
  readonly #taken = new Set<number>();

  /** The number of a track whose own is like `T-0042`. */
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

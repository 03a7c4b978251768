/** Greatest number of components followed for each sender. A further one evicts the component that was added first. */
const MAX_COMPONENTS = 256;

/**
 * A frame whose sequence number lies 0 to 15 behind the last one counts as repeated or late. A larger step back counts
 * as a loss of up to 239 frames.
 */
const LATE_WINDOW = 16;

/** Follows the sequence numbers of the components behind one sender. */
export class SequenceCounter {
  readonly #last = new Map<number, number>();

  get size(): number {
    return this.#last.size;
  }

  /**
   * Returns the number of frames of a component that are missing between its last frame and `seq`, an 8-bit number.
   * Returns 0 for the component's first frame, and for a repeated or late frame.
   */
  missingBefore(sysid: number, compid: number, seq: number): number {
    const component = (sysid << 8) | compid;
    const last = this.#last.get(component);
    if (last === undefined) {
      this.#makeRoom();
      this.#last.set(component, seq);
      return 0;
    }
    const missing = (seq - last - 1) & 0xff;
    if (missing >= 256 - LATE_WINDOW) return 0;
    this.#last.set(component, seq);
    return missing;
  }

  #makeRoom(): void {
    if (this.#last.size < MAX_COMPONENTS) return;
    const first = this.#last.keys().next();
    if (!first.done) this.#last.delete(first.value);
  }
}

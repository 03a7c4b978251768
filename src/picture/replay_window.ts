import type { PictureEvent } from './picture.ts';

/** The last events of an epoch, so that a client that was away for a moment goes on where it was. */
export class ReplayWindow {
  readonly #limit: number;
  #events: PictureEvent[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(events: readonly PictureEvent[]): void {
    this.#events.push(...events);
    // Cut seldom and by a lot: moving ten thousand entries for each tick would cost more than it saves.
    if (this.#events.length > this.#limit * 1.5) this.#events = this.#events.slice(-this.#limit);
  }

  /** The events after `seq`, which is `lastSeq` or earlier; null where some of them are no longer kept. */
  since(seq: number, lastSeq: number): readonly PictureEvent[] | null {
    if (seq > lastSeq || seq < 0) return null;
    const missing = lastSeq - seq;
    if (missing > Math.min(this.#events.length, this.#limit)) return null;
    return missing === 0 ? [] : this.#events.slice(-missing);
  }
}

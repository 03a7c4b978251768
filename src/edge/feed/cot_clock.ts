import type { CotMessage } from '../wire/message.ts';
import { ClockOffset } from './clock_offset.ts';

/** Number of events after which the offset of a sender whose events are all stale by the box's clock is believed. */
const BELIEVED_AFTER = 3;

/**
 * Clock of one sender of events. An event says until when it holds (`stale`), by the sender's clock. A TAK server sends the
 * last event of everybody to a new client, however old: such events must not teach that its clock is late. So stale
 * events teach only while the sender has sent no others, and count only once three of them arrived.
 */
export class CotClock {
  readonly offset = new ClockOffset();
  #hasBeenFresh = false;
  #stale = 0;

  /** Correction from the sender's times to ours, ms; null where the event holds no more. */
  take({ timeMs, staleMs }: CotMessage, atMs: number): number | null {
    if (staleMs > atMs) this.#hasBeenFresh = true;
    else if (this.#hasBeenFresh) return null;
    else this.#stale++;
    const correctionMs = this.offset.correct(timeMs, atMs) - timeMs;
    if (!this.#hasBeenFresh && this.#stale < BELIEVED_AFTER) return null;
    return staleMs + correctionMs > atMs ? correctionMs : null;
  }
}

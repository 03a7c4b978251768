import type { CotMessage } from '../wire/message.ts';
import { ClockOffset } from './clock_offset.ts';

/**
 * A late clock (one behind ours) is accepted after `BELIEVED_AFTER` agreeing reports at intervals of at least
 * `APART_MS`, ms.
 */
const BELIEVED_AFTER = 3;
const APART_MS = 700;
/** Difference of offsets up to which two reports agree, ms. */
const AGREE_MS = 2_000;

/**
 * Clock of the author of one uid. The uid is the only name of an event's author. A server forwards events of many
 * authors, and a wrong clock affects only the events of its author. The field `stale` of an event states by the
 * author's clock how long the event is valid.
 *
 * A TAK server sends every new client the last event of each author, however old. Such a backlog must not be mistaken
 * for a late clock. While all events of a uid are stale by our clock, the author's offset is therefore accepted only
 * after three agreeing events at intervals. A repeated event counts once.
 */
export class CotClock {
  readonly offset = new ClockOffset();
  #isKnown = false;
  readonly #late = { offsetMs: Number.NaN, timeMs: Number.NaN, atMs: Number.NEGATIVE_INFINITY, reports: 0 };

  /**
   * Learns from an event. Returns the correction from the author's times to ours, ms; null if the event is no longer
   * valid, or while the author's clock is not known.
   */
  take({ timeMs, staleMs }: CotMessage, atMs: number): number | null {
    const isStale = staleMs <= atMs;
    if (!isStale || this.#isLate(timeMs, atMs)) this.#isKnown = true;
    // If the clock is known to be right, a stale event is simply old, and the offset does not learn from it.
    if (!this.#isKnown || (isStale && this.#late.reports < BELIEVED_AFTER)) return null;
    const correctionMs = this.offset.correct(timeMs, atMs) - timeMs;
    return staleMs + correctionMs > atMs ? correctionMs : null;
  }

  /** True if all events of an author were stale and enough of them agree that the author's clock is behind ours. */
  #isLate(timeMs: number, atMs: number): boolean {
    const late = this.#late;
    if (this.#isKnown) return late.reports >= BELIEVED_AFTER;
    if (timeMs === late.timeMs || atMs - late.atMs < APART_MS) return false;
    const offsetMs = atMs - timeMs;
    const agrees = Math.abs(offsetMs - late.offsetMs) <= AGREE_MS;
    Object.assign(late, { offsetMs, timeMs, atMs, reports: agrees ? late.reports + 1 : 1 });
    return late.reports >= BELIEVED_AFTER;
  }
}

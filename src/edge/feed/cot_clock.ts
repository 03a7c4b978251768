import type { CotMessage } from '../wire/message.ts';
import { ClockOffset } from './clock_offset.ts';

/** Number of agreeing reports, and the least time between two of them, after which a late clock is believed. */
const BELIEVED_AFTER = 3;
const APART_MS = 700;
/** Difference of offsets up to which reports agree, ms. */
const AGREE_MS = 2_000;

/**
 * Clock of the author of one uid. Nothing else names who wrote an event: a server hands on those of many authors, and one
 * with a wrong clock dates its own events alone. An event says until when it holds (`stale`), by the author's clock. A TAK
 * server sends the last event of everybody to a new client, however old. Such a backlog must not teach that a clock is
 * late. So while all events of a uid are stale by our clock, its offset is believed only after three events apart that
 * agree. An event that is sent again counts once.
 */
export class CotClock {
  readonly offset = new ClockOffset();
  #isKnown = false;
  readonly #late = { offsetMs: Number.NaN, timeMs: Number.NaN, atMs: Number.NEGATIVE_INFINITY, reports: 0 };

  /** Correction from the sender's times to ours, ms; null where the event holds no more. */
  take({ timeMs, staleMs }: CotMessage, atMs: number): number | null {
    const isStale = staleMs <= atMs;
    if (!isStale || this.#isLate(timeMs, atMs)) this.#isKnown = true;
    // A clock that is known to be right learns nothing from an event that is stale by it.
    if (!this.#isKnown || (isStale && this.#late.reports < BELIEVED_AFTER)) return null;
    const correctionMs = this.offset.correct(timeMs, atMs) - timeMs;
    return staleMs + correctionMs > atMs ? correctionMs : null;
  }

  /** Whether the clock of an author of stale events alone is late. */
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

/** Share of one second's messages that may be sent at once. */
const BURST = 0.1;

/** Limit of the messages per second, as a token bucket. */
export class MessageRate {
  readonly #perS: number;
  #left: number;
  #atMs: number;

  constructor(perS: number, nowMs: number) {
    this.#perS = perS;
    this.#left = Math.max(1, perS * BURST);
    this.#atMs = nowMs;
  }

  /** Returns the number of messages that may be sent now; below zero after an item of more messages than were left. */
  left(nowMs: number): number {
    const most = Math.max(1, this.#perS * BURST);
    this.#left = Math.min(most, this.#left + ((nowMs - this.#atMs) / 1_000) * this.#perS);
    this.#atMs = nowMs;
    return Math.floor(this.#left);
  }

  /**
   * Takes messages from the bucket, possibly more than are left, because an item of several messages is never split.
   */
  take(messages: number): void {
    this.#left -= messages;
  }

  /** Returns the time until one message may be sent, ms. */
  waitMs(nowMs: number): number {
    return this.left(nowMs) >= 1 ? 0 : ((1 - this.#left) / this.#perS) * 1_000;
  }
}

/**
 * Tolerance of the pace, as a share of the interval between two messages about a track. It has two uses:
 *
 * - `nextTurnMs`: a late message counts as sent up to this much earlier. Otherwise one late message would delay all
 *   later messages of a source that reports exactly at the pace.
 * - `isOfNextReport`: news that arrives this long after a message belongs to the next report of the source.
 */
const EARLY = 0.75;

/**
 * Returns the next time at which a track may be sent. Keeps the mean interval: a message that was sent late does not
 * delay the next one.
 */
export function nextTurnMs(turnMs: number, nowMs: number, intervalMs: number): number {
  return Math.max(turnMs, nowMs - EARLY * intervalMs) + intervalMs;
}

/**
 * Returns true if news belongs to the next report of a source, and not to the rest of the report already sent. Such a
 * rest exists because the parts of a report from several sensors arrive some milliseconds apart.
 */
export function isOfNextReport(newsMs: number, sentMs: number, intervalMs: number): boolean {
  return newsMs - sentMs >= EARLY * intervalMs;
}

/**
 * Returns the time at which the rest of a report is sent if no further report arrives. By this time, a source at the
 * pace would have sent its next report.
 */
export function restTurnMs(sentMs: number, intervalMs: number): number {
  return sentMs + (2 - EARLY) * intervalMs;
}

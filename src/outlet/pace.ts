/** Share of a second's messages that may leave at once. */
const BURST = 0.1;

/** Limit of the messages a second: a bucket that fills steadily. */
export class MessageRate {
  readonly #perS: number;
  #left: number;
  #atMs: number;

  constructor(perS: number, nowMs: number) {
    this.#perS = perS;
    this.#left = Math.max(1, perS * BURST);
    this.#atMs = nowMs;
  }

  /** Number of messages that may leave now. */
  left(nowMs: number): number {
    const most = Math.max(1, this.#perS * BURST);
    this.#left = Math.min(most, this.#left + ((nowMs - this.#atMs) / 1_000) * this.#perS);
    this.#atMs = nowMs;
    return Math.floor(this.#left);
  }

  /** Takes messages, also more than are left: an item of several is never cut. */
  take(messages: number): void {
    this.#left -= messages;
  }

  /** Time until one message may leave, ms. */
  waitMs(nowMs: number): number {
    return this.left(nowMs) >= 1 ? 0 : ((1 - this.#left) / this.#perS) * 1_000;
  }
}

/**
 * Share of the interval that a message may come early. A source at just the pace has no spare turn: without this share,
 * one late message would delay all later ones.
 */
const EARLY = 0.75;

/**
 * Next time at which a track may be sent. The mean interval is kept: a message that left late for its turn does not
 * delay the next one.
 */
export function nextTurnMs(turnMs: number, nowMs: number, intervalMs: number): number {
  return Math.max(turnMs, nowMs - EARLY * intervalMs) + intervalMs;
}

/**
 * Whether news is of the next report of a source, and not the rest of the one that was sent: one look of several sensors
 * comes in parts, milliseconds apart.
 */
export function isOfNextReport(newsMs: number, sentMs: number, intervalMs: number): boolean {
  return newsMs - sentMs >= EARLY * intervalMs;
}

/** Turn of the rest of a report, where no next one comes: after the latest time of the next report of a source at the pace. */
export function restTurnMs(sentMs: number, intervalMs: number): number {
  return sentMs + (2 - EARLY) * intervalMs;
}

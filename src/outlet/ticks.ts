/**
 * Least interval between the ticks of a connection, ms. A SAPIENT middleware refuses a detection whose time is less
 * than 80 ms after the previous one, unless both times are equal (Apex-SAPIENT-Middleware@0c8591a,
 * `validate_proto.py`).
 */
const TICK_MS = 100;
/** Limit of the messages in one tick; the pace of the outlet usually limits them before. */
export const MOST_A_TICK = 1_000;

/**
 * Ticks of a connection whose peer checks times. All messages of a tick have one time, and later ticks have later
 * times.
 */
export class Ticks {
  #lastMs = Number.NEGATIVE_INFINITY;
  #lastUtcMs = Number.NEGATIVE_INFINITY;

  /** Returns true if the clock was set back to before the last tick. No message can then be sent on this connection. */
  isSetBack(utcMs: number): boolean {
    return utcMs < this.#lastUtcMs;
  }

  /** Returns the time until the next tick, ms. */
  waitMs(nowMs: number, utcMs: number): number {
    return Math.max(0, this.#lastMs + TICK_MS - nowMs, this.#lastUtcMs + TICK_MS - utcMs);
  }

  take(nowMs: number, utcMs: number): void {
    this.#lastMs = nowMs;
    this.#lastUtcMs = utcMs;
  }
}

/** UTC of the current moment. All messages of a tick get the same value, even if the clock is set in between. */
export class MomentTime {
  #nowMs = Number.NaN;
  #utcMs = 0;

  /** Returns the UTC of a moment, ms. `read` is called once for each moment. */
  of(nowMs: number, read: () => number): number {
    if (this.#nowMs !== nowMs) this.#utcMs = read();
    this.#nowMs = nowMs;
    return this.#utcMs;
  }
}

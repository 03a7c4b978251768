/**
 * Least interval of the turns of a connection, ms. A SAPIENT middleware refuses a detection that is dated less than 80 ms
 * after the one before, unless both have one time (Apex-SAPIENT-Middleware@0c8591a, `validate_proto.py`).
 */
const TICK_MS = 100;
/** Messages of one turn; the pace of the outlet is the limit before. */
export const MOST_A_TICK = 1_000;

/** Turns of one connection to a peer that checks times: all messages of a turn have one time, and later turns later ones. */
export class Ticks {
  #lastMs = Number.NEGATIVE_INFINITY;
  #lastUtcMs = Number.NEGATIVE_INFINITY;

  /** Whether the clock was set back to before the last turn: nothing can follow on this connection. */
  isSetBack(utcMs: number): boolean {
    return utcMs < this.#lastUtcMs;
  }

  /** Time until the next turn, ms. */
  waitMs(nowMs: number, utcMs: number): number {
    return Math.max(0, this.#lastMs + TICK_MS - nowMs, this.#lastUtcMs + TICK_MS - utcMs);
  }

  take(nowMs: number, utcMs: number): void {
    this.#lastMs = nowMs;
    this.#lastUtcMs = utcMs;
  }
}

/** UTC of the present moment: one value for all messages of a turn, also where the clock is set meanwhile. */
export class MomentTime {
  #nowMs = Number.NaN;
  #utcMs = 0;

  /** UTC of a moment; it is read once for each. */
  of(nowMs: number, read: () => number): number {
    if (this.#nowMs !== nowMs) this.#utcMs = read();
    this.#nowMs = nowMs;
    return this.#utcMs;
  }
}

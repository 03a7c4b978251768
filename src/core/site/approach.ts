/** An approach is over when for so long it was none. */
const HOLD_MS = 10_000;
/** It goes on until the time that is left is so much longer than what it began with. */
const SLACK = 1.5;

/** Whether a track approaches a zone: begun and ended with hysteresis, so that a turn or noise does not begin it anew. */
export class Approach {
  #holds = false;
  #againstMs = Number.NaN;

  get holds(): boolean {
    return this.#holds;
  }

  end(): void {
    this.#holds = false;
    this.#againstMs = Number.NaN;
  }

  /**
   * Takes when it will be in, and how sure that is; true where an approach begins. What stands still with a velocity of
   * noise comes to everything some day: it begins only where that time is known to a half, or to a quarter of the warning.
   */
  follow(etaS: number, sigmaS: number, warnS: number, nowMs: number): boolean {
    if (this.#holds) {
      if (etaS <= warnS * SLACK) this.#againstMs = Number.NaN;
      else if (Number.isNaN(this.#againstMs)) this.#againstMs = nowMs;
      else if (nowMs - this.#againstMs >= HOLD_MS) this.end();
      return false;
    }
    // A sigma that is not known says nothing against it.
    if (!(etaS <= warnS) || sigmaS > Math.max(etaS / 2, warnS / 4)) return false;
    this.#holds = true;
    return true;
  }
}

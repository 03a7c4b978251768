/** Time without a frame of any transmitter after which a radio counts as deaf, ms. */
const DEAF_AFTER_MS = 60_000;
/**
 * Limits of the warning about frames with a wrong checksum. `WINDOW_MS`: counting period, ms; the share covers the last
 * one to two periods. `LEAST_FRAMES`: least number of frames for a share. `MOST_BAD`: share above which the warning is
 * shown.
 */
const WINDOW_MS = 60_000;
const LEAST_FRAMES = 20;
const MOST_BAD = 0.2;

/** Share of bad frames in the last one to two minutes. */
class BadShare {
  #good = 0;
  #bad = 0;
  #before = { good: 0, bad: 0 };
  #turnedMs = Number.NEGATIVE_INFINITY;

  add(good: number, bad: number, nowMs: number): void {
    if (nowMs - this.#turnedMs > WINDOW_MS) {
      const isOld = nowMs - this.#turnedMs > 2 * WINDOW_MS;
      this.#before = isOld ? { good: 0, bad: 0 } : { good: this.#good, bad: this.#bad };
      this.#good = 0;
      this.#bad = 0;
      this.#turnedMs = nowMs;
    }
    this.#good += good;
    this.#bad += bad;
  }

  at(nowMs: number): number {
    if (nowMs - this.#turnedMs > 2 * WINDOW_MS) return 0;
    const bad = this.#bad + this.#before.bad;
    const all = bad + this.#good + this.#before.good;
    return all < LEAST_FRAMES ? 0 : bad / all;
  }
}

/** Condition of the radio behind a link, as far as the link's protocol reveals it. */
export class RadioCondition {
  readonly #ours = new BadShare();
  readonly #all = new BadShare();
  #deafSinceMs: number | null = null;
  /** Number of signs of life: frames of any transmitter, status reports, answers. */
  signsOfLife = 0;
  /** Number of frames that the receiver lost before they reached the link. */
  drops = 0;
  /** Limit of the radio that its owner should know, as a sentence; null without one. */
  limit: string | null = null;

  /** Notes a frame of any transmitter. */
  received(): void {
    this.signsOfLife++;
    this.#deafSinceMs = null;
  }

  /** Notes a sign of life that is no frame, such as an answer or a status line. */
  answered(): void {
    this.signsOfLife++;
  }

  /**
   * Begins to measure the time without a frame, unless it is already being measured. After `DEAF_AFTER_MS` without a
   * frame the radio counts as deaf.
   */
  listening(nowMs: number): void {
    this.#deafSinceMs ??= nowMs;
  }

  /**
   * Ends the measurement of the time without a frame. No frames are expected while the radio is being set up or its
   * link is closed.
   */
  closed(): void {
    this.#deafSinceMs = null;
  }

  /** Notes the number of frames that the receiver counted since its last report; `bad` of them had a wrong checksum. */
  reported(frames: number, bad: number, nowMs: number): void {
    this.#all.add(Math.max(0, frames - bad), bad, nowMs);
    if (frames > 0) this.received();
    else {
      this.answered();
      this.listening(nowMs);
    }
  }

  /** Notes frames about aircraft: `good` is the number with a right checksum, `bad` the number with a wrong one. */
  checked(good: number, bad: number, nowMs: number): void {
    if (good > 0 || bad > 0) this.#ours.add(good, bad, nowMs);
  }

  isDeaf(nowMs: number): boolean {
    return this.#deafSinceMs !== null && nowMs - this.#deafSinceMs >= DEAF_AFTER_MS;
  }

  /** Returns a sentence for the owner; null while nothing is wrong. */
  warning(nowMs: number): string | null {
    if (this.isDeaf(nowMs)) {
      return `the radio works but has received no frames for ${DEAF_AFTER_MS / 1_000} s: check its antenna and channel`;
    }
    const share = Math.max(this.#ours.at(nowMs), this.#all.at(nowMs));
    if (share > MOST_BAD) {
      return `${Math.round(share * 100)} % of the frames have a wrong check sum: the signal is weak or disturbed`;
    }
    return this.limit;
  }
}

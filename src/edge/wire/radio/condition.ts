/** Time without a frame of any transmitter after which a radio counts as deaf, ms. */
const DEAF_AFTER_MS = 60_000;
/** Window of the share of frames with a wrong check sum, ms, and the least number of frames that make a share. */
const WINDOW_MS = 60_000;
const LEAST_FRAMES = 20;
const MOST_BAD = 0.2;

/** Share of bad ones in the last one to two minutes. */
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

/** Condition of the radio behind a link, as far as its protocol shows it. */
export class RadioCondition {
  readonly #ours = new BadShare();
  readonly #all = new BadShare();
  #deafSinceMs: number | null = null;
  /** Number of signs of life: frames of any transmitter, status reports, answers. */
  signsOfLife = 0;
  /** Frames that the receiver lost before they came to the link. */
  drops = 0;
  /** Limit of the radio that its owner should know; null without one. */
  limit: string | null = null;

  /** Notes a frame of any transmitter. */
  received(): void {
    this.signsOfLife++;
    this.#deafSinceMs = null;
  }

  /** Notes a sign of life that is no frame: an answer, a status line. */
  answered(): void {
    this.signsOfLife++;
  }

  /** Begins to wait for frames, unless it does already. */
  listening(nowMs: number): void {
    this.#deafSinceMs ??= nowMs;
  }

  /** Notes that nothing is expected while the radio is set up or its link closed. */
  closed(): void {
    this.#deafSinceMs = null;
  }

  /** Notes the receiver's own count of frames since its last report. */
  reported(frames: number, bad: number, nowMs: number): void {
    this.#all.add(Math.max(0, frames - bad), bad, nowMs);
    if (frames > 0) this.received();
    else {
      this.answered();
      this.listening(nowMs);
    }
  }

  /** Notes frames about aircraft: how many were good, and how many had a wrong check sum. */
  checked(good: number, bad: number, nowMs: number): void {
    if (good > 0 || bad > 0) this.#ours.add(good, bad, nowMs);
  }

  isDeaf(nowMs: number): boolean {
    return this.#deafSinceMs !== null && nowMs - this.#deafSinceMs >= DEAF_AFTER_MS;
  }

  /** Sentence for the owner; null while nothing is wrong. */
  warning(nowMs: number): string | null {
    if (this.isDeaf(nowMs)) {
      return `the radio works and has received no frame of anybody for ${DEAF_AFTER_MS / 1_000} s: check its antenna and channel`;
    }
    const share = Math.max(this.#ours.at(nowMs), this.#all.at(nowMs));
    if (share > MOST_BAD) {
      return `${Math.round(share * 100)} % of the frames have a wrong check sum: the signal is weak or disturbed`;
    }
    return this.limit;
  }
}

const LEARNING = 5;
const SLOW = 0.02;
/**
 * Difference from the learnt offset above which a report is a stray, ms. The clock may have stopped, jumped or been
 * reset, the report may be delayed, or another clock may have dated it.
 */
const OUTLIER_MS = 2_000;
/**
 * Offset up to which our clock and the source's count as equal, ms. The offset then counts as transit time, and the
 * source's own time is used unchanged.
 */
const AGREE_MS = 2_000;
/**
 * Number of reports after which a clock is judged. Reports closer than `APART_MS` count as one, since the reports of
 * one burst have the same time.
 */
const JUDGED_AFTER = 3;
export const APART_MS = 700;
const RELEARN_DRIFT_MS = 500;
/** Delay beyond the learnt offset that a queue in transit can explain, ms. */
const HELD_UP_MS = 10_000;
/**
 * `TWO_CLOCKS_MS`: time for which reports of a second clock under one identity are remembered, ms. `FORMER_MS`: time
 * for which a replaced offset is remembered, ms.
 */
const TWO_CLOCKS_MS = 20_000;
const FORMER_MS = 60_000;
const MOST_FORMER = 4;
const MOST_OTHERS = 32;

type Stray = { atMs: number; sourceMs: number; offsetMs: number };

/**
 * Offset from a source's clock to ours: the median of the first five reports, followed slowly afterwards. A constant
 * offset is no fault, however large: a replayed capture and a box without a clock still give tracks. A clock that was
 * reset is learnt again once three reports agree on the new offset.
 *
 * A clock that has stopped, jumps or runs at another pace does not date its reports. The time of arrival is used until
 * the clock is right again. Reports that were queued in transit keep their own times: their clock runs on, and their
 * delay shrinks.
 *
 * Anybody can send under the identity of an aircraft (`isForgeable`), with another clock and more often than the
 * aircraft. While reports of two clocks arrive, it is unknown which reports the aircraft sent, so the time of arrival
 * is used.
 */
export class ClockOffset {
  #samples: number[] = [];
  #offsetMs: number | null = null;
  /**
   * The last consecutive strays (reports that differ from the learnt offset by more than `OUTLIER_MS`), at most
   * `LEARNING`. `#spread` has the last strays that are `APART_MS` apart, at most `JUDGED_AFTER`.
   */
  #strays: Stray[] = [];
  #spread: Stray[] = [];
  /**
   * Strays of the last `TWO_CLOCKS_MS` that no delay explains. Strays of one clock are at least `APART_MS` apart. Good
   * reports do not clear this list.
   */
  #others: readonly Stray[] = [];
  /** Last time at which reports of two clocks were detected, ms. */
  #twoMs = Number.NEGATIVE_INFINITY;
  /** Former offsets, each with the time at which another offset replaced it, ms. */
  #former: readonly { offsetMs: number; leftMs: number }[] = [];
  readonly #isForgeable: boolean;
  #isDistrusted = false;
  readonly #good = { atMs: Number.NEGATIVE_INFINITY, sourceMs: Number.NEGATIVE_INFINITY, reports: 0 };
  readonly #standing = { sourceMs: Number.NaN, atMs: Number.NEGATIVE_INFINITY, reports: 0 };
  /**
   * Time that the source's clock showed when it last stopped, ms; NaN if it never did. It is kept because the clock may
   * remain stopped while reports of another clock arrive.
   */
  #stoodAtMs = Number.NaN;

  constructor(isForgeable = false) {
    this.#isForgeable = isForgeable;
  }

  /** Learnt offset, ms; null before the first report. */
  get offsetMs(): number | null {
    return this.#offsetMs;
  }

  /** Learns from one report and returns the time of the report by our clock, ms. */
  correct(sourceMs: number, receivedMs: number): number {
    if (this.#stands(sourceMs, receivedMs)) return receivedMs;
    const isStray = this.#learn(sourceMs, receivedMs);
    if (this.#isDistrusted) return receivedMs;
    const offsetMs = this.#offsetMs ?? 0;
    const heldMs = Math.abs(offsetMs) <= AGREE_MS ? sourceMs : sourceMs + offsetMs;
    // A fast clock is followed slowly, so its times may be in the future; no report was made after its arrival.
    return isStray ? heldMs : Math.min(heldMs, receivedMs);
  }

  /**
   * True if the source's clock has stopped: three reports, `APART_MS` apart, have the same time. Such reports do
   * not change the offset.
   */
  #stands(sourceMs: number, receivedMs: number): boolean {
    const standing = this.#standing;
    if (sourceMs !== standing.sourceMs || receivedMs - standing.atMs >= APART_MS) {
      standing.reports = sourceMs === standing.sourceMs ? standing.reports + 1 : 1;
      standing.sourceMs = sourceMs;
      standing.atMs = receivedMs;
    }
    if (standing.reports >= JUDGED_AFTER) this.#stoodAtMs = sourceMs;
    return sourceMs === this.#stoodAtMs;
  }

  /** Learns from one report. Returns true if the report strays from the learnt offset. */
  #learn(sourceMs: number, receivedMs: number): boolean {
    const sampleMs = receivedMs - sourceMs;
    if (this.#offsetMs === null || this.#isSample(sampleMs, receivedMs)) {
      this.#samples.push(sampleMs);
      this.#offsetMs = median(this.#samples);
      return false;
    }
    if (Math.abs(sampleMs - this.#offsetMs) <= OUTLIER_MS) {
      this.#offsetMs += SLOW * (sampleMs - this.#offsetMs);
      this.#agrees(sourceMs, receivedMs);
      return false;
    }
    this.#good.reports = 0;
    const stray = { atMs: receivedMs, sourceMs, offsetMs: sampleMs };
    this.#strays = [...this.#strays, stray].slice(-LEARNING);
    if (receivedMs - (this.#spread.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY) >= APART_MS)
      this.#spread = [...this.#spread, stray].slice(-JUDGED_AFTER);
    const areTwo = this.#isAnothers(stray, this.#offsetMs);
    if (straysAgree(this.#spread)) this.#relearn(sampleMs, receivedMs);
    else if (areTwo || this.#straysDeny(this.#offsetMs)) this.#isDistrusted = true;
    return true;
  }

  /** True while an offset is learnt, unless a report has a former offset and is therefore of another clock. */
  #isSample(offsetMs: number, atMs: number): boolean {
    return this.#samples.length < LEARNING && !this.#isFormer({ atMs, offsetMs });
  }

  /** True if a stray report shows that a second clock sends under the same identity. */
  #isAnothers(stray: Stray, learntMs: number): boolean {
    if (!this.#isForgeable) return false;
    const isFormer = this.#isFormer(stray);
    if (!isFormer && this.#mayBeDelayed(stray, learntMs)) return false;
    const recent = this.#others.filter(({ atMs }) => stray.atMs - atMs <= TWO_CLOCKS_MS);
    const ofOne = recent.filter((other) => isOfOneClock(other, stray));
    const isApart = stray.atMs - (ofOne.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY) >= APART_MS;
    this.#others = isApart ? [...recent, stray].slice(-MOST_OTHERS) : recent;
    const areTwo = isFormer || ofOne.length + (isApart ? 1 : 0) >= JUDGED_AFTER;
    if (areTwo) this.#twoMs = stray.atMs;
    return areTwo;
  }

  /**
   * True if a delay in transit can explain a stray. Transit never makes a report early. A queue keeps the order of
   * reports, so above `HELD_UP_MS` only a report that is newer than the last good one may be delayed.
   */
  #mayBeDelayed({ sourceMs, offsetMs }: Stray, learntMs: number): boolean {
    if (offsetMs <= learntMs) return false;
    return offsetMs - learntMs <= HELD_UP_MS || sourceMs > this.#good.sourceMs;
  }

  /**
   * True if the strays (reports that differ from the learnt offset) show that the source's clock is wrong. A delay in
   * transit then cannot explain them.
   */
  #straysDeny(learntMs: number): boolean {
    const several = this.#spread.length === JUDGED_AFTER && !isHeldUp(this.#spread, learntMs);
    return several || (this.#strays.length === LEARNING && runAway(this.#strays, learntMs));
  }

  /**
   * True if a forgeable report matches an offset that was replaced at most `FORMER_MS` ago. Such a report shows that
   * two clocks send.
   */
  #isFormer({ atMs, offsetMs }: Omit<Stray, 'sourceMs'>): boolean {
    if (!this.#isForgeable) return false;
    return this.#former.some(
      (one) => atMs - one.leftMs <= FORMER_MS && Math.abs(offsetMs - one.offsetMs) <= OUTLIER_MS,
    );
  }

  #relearn(lastMs: number, receivedMs: number): void {
    const areTwo = this.#spread.every((stray) => this.#isFormer(stray));
    const left = { offsetMs: this.#offsetMs ?? Number.NaN, leftMs: receivedMs };
    this.#former = [...this.#former, left].slice(-MOST_FORMER);
    const offsets = this.#strays.map((stray) => stray.offsetMs);
    this.#samples = offsets.filter((ms) => Math.abs(ms - lastMs) <= RELEARN_DRIFT_MS);
    this.#offsetMs = median(this.#samples);
    this.#isDistrusted = areTwo;
    this.#forgetStrays();
  }

  /**
   * Notes a report that agrees with the offset. A distrusted clock is trusted again after three such reports
   * in a row, `APART_MS` apart, if no second clock reported for `TWO_CLOCKS_MS`.
   */
  #agrees(sourceMs: number, receivedMs: number): void {
    const good = this.#good;
    good.sourceMs = sourceMs;
    if (this.#strays.length > 0) this.#forgetStrays();
    if (!this.#isDistrusted) return;
    if (receivedMs - good.atMs >= APART_MS) {
      good.atMs = receivedMs;
      good.reports++;
    }
    const isAlone = receivedMs - this.#twoMs > TWO_CLOCKS_MS;
    if (isAlone && good.reports >= JUDGED_AFTER) this.#isDistrusted = false;
  }

  #forgetStrays(): void {
    this.#strays = [];
    this.#spread = [];
  }
}

/** True if two strays may come from one clock: their offsets agree, or the clock shows the same time in both. */
function isOfOneClock(one: Stray, other: Stray): boolean {
  return one.sourceMs === other.sourceMs || Math.abs(one.offsetMs - other.offsetMs) <= RELEARN_DRIFT_MS;
}

function straysAgree(strays: readonly Stray[]): boolean {
  const offsets = strays.map((stray) => stray.offsetMs);
  return strays.length === JUDGED_AFTER && Math.max(...offsets) - Math.min(...offsets) <= RELEARN_DRIFT_MS;
}

/**
 * True if reports are only delayed. Their clock then runs on. Each delay is no longer than the previous one, or at most
 * `HELD_UP_MS` above the learnt offset.
 */
function isHeldUp(strays: readonly Stray[], learntMs: number): boolean {
  return strays.every(({ sourceMs, offsetMs }, i) => {
    if (offsetMs <= learntMs) return false;
    const before = strays[i - 1];
    if (before && sourceMs <= before.sourceMs) return false;
    return !before || offsetMs <= before.offsetMs || offsetMs - learntMs <= HELD_UP_MS;
  });
}

/**
 * True if the source's clock runs on and each stray is farther from the learnt offset than the previous one, on the
 * same side. Late strays count only above `HELD_UP_MS`. A queue cannot cause this: the delay shrinks while a queue
 * empties, and transit never makes a report early.
 */
function runAway(strays: readonly Stray[], learntMs: number): boolean {
  return strays.every(({ sourceMs, offsetMs }, i) => {
    const offMs = offsetMs - learntMs;
    if (offMs > 0 && offMs <= HELD_UP_MS) return false;
    const before = strays[i - 1];
    if (!before) return true;
    const beforeMs = before.offsetMs - learntMs;
    return sourceMs > before.sourceMs && offMs * beforeMs > 0 && Math.abs(offMs) > Math.abs(beforeMs);
  });
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Returns the UTC of `secondsAfterHour` in the hour that brings it nearest to `expectedMs`, ms. The expected time is
 * the time of reception minus the known offset of the clock.
 */
export function timeWithinHour(secondsAfterHour: number, expectedMs: number): number {
  return timeWithin(HOUR_MS, secondsAfterHour, expectedMs);
}

/** Returns the UTC of a time of day, on the day that brings it within 12 hours of `expectedMs`, ms. */
export function timeWithinDay(secondsAfterMidnight: number, expectedMs: number): number {
  return timeWithin(DAY_MS, secondsAfterMidnight, expectedMs);
}

function timeWithin(periodMs: number, secondsAfterBegin: number, expectedMs: number): number {
  const begin = Math.floor(expectedMs / periodMs) * periodMs;
  const within = begin + secondsAfterBegin * 1000;
  if (within - expectedMs > periodMs / 2) return within - periodMs;
  if (expectedMs - within > periodMs / 2) return within + periodMs;
  return within;
}

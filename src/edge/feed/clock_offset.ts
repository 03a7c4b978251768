const LEARNING = 5;
const SLOW = 0.02;
/** A sample further off than this is not noise: the source's clock stands, was set anew, or the report was held up. */
const OUTLIER_MS = 2_000;
/** Offsets up to here are transit time between agreeing clocks: the source's own time is taken as it is. */
const AGREE_MS = 2_000;
/**
 * Number of reports after which a clock is judged; one report in `APART_MS` counts, since reports of one burst share
 * their time.
 */
const JUDGED_AFTER = 3;
const APART_MS = 700;
const RELEARN_DRIFT_MS = 500;
/** Delay up to which a source is taken to be held up on its way, not to have a slow clock, ms. */
const HELD_UP_MS = 10_000;
/** Time in which reports by another clock under the same name are remembered, and the one that was learnt before. */
const TWO_CLOCKS_MS = 20_000;
const FORMER_MS = 60_000;
const MOST_FORMER = 4;
const MOST_OTHERS = 32;

type Stray = { atMs: number; sourceMs: number; offsetMs: number };

/**
 * Offset from a source's clock to ours: the median of the first five reports, then followed slowly. A constant
 * offset, however large, is no fault: a capture replayed years later, or a box without a clock, still tracks. A clock that
 * was set anew is learnt again once three reports agree on the new offset. A clock that stands, jumps about or runs at
 * another pace says nothing of when a report was made: the arrival time holds instead, until the clock is right again.
 * Reports that were queued on their way keep their own times: the clock of a backlog runs on, and its lateness shrinks.
 * Anybody can send by the name of an aircraft (`isForgeable`), faster and by another clock. While two clocks speak, neither is
 * the aircraft's for sure, and the arrival time holds.
 */
export class ClockOffset {
  #samples: number[] = [];
  #offsetMs: number | null = null;
  /** The last strays in a row; and of those, the last ones that are `APART_MS` from each other. */
  #strays: Stray[] = [];
  #spread: Stray[] = [];
  /** Strays among good reports that no delay explains, `APART_MS` from each other. */
  #others: readonly Stray[] = [];
  /** When two clocks were last seen to speak. */
  #twoMs = Number.NEGATIVE_INFINITY;
  /** Offsets that were learnt before the present one, and when they gave way. */
  #former: readonly { offsetMs: number; leftMs: number }[] = [];
  readonly #isForgeable: boolean;
  #isDistrusted = false;
  readonly #good = { atMs: Number.NEGATIVE_INFINITY, sourceMs: Number.NEGATIVE_INFINITY, reports: 0 };
  #standing = { sourceMs: Number.NaN, atMs: Number.NEGATIVE_INFINITY, reports: 0 };
  /** The time that the clock stood at last: it may stand still while another one speaks. */
  #stoodAtMs = Number.NaN;

  constructor(isForgeable = false) {
    this.#isForgeable = isForgeable;
  }

  /** The learnt offset, milliseconds; null before the first report. */
  get offsetMs(): number | null {
    return this.#offsetMs;
  }

  /** Learns from one report and returns when, on our clock, it was made. */
  correct(sourceMs: number, receivedMs: number): number {
    if (this.#stands(sourceMs, receivedMs)) return receivedMs;
    const isStray = this.#learn(sourceMs, receivedMs);
    if (this.#isDistrusted) return receivedMs;
    const offsetMs = this.#offsetMs ?? 0;
    const heldMs = Math.abs(offsetMs) <= AGREE_MS ? sourceMs : sourceMs + offsetMs;
    // A clock that runs fast is followed late: no report was made after it arrived.
    return isStray ? heldMs : Math.min(heldMs, receivedMs);
  }

  /** True where the clock has shown the same time in the last three reports. Nothing is learnt of it then. */
  #stands(sourceMs: number, receivedMs: number): boolean {
    const standing = this.#standing;
    if (sourceMs !== standing.sourceMs) this.#standing = { sourceMs, atMs: receivedMs, reports: 1 };
    else if (receivedMs - standing.atMs >= APART_MS) {
      standing.atMs = receivedMs;
      standing.reports++;
    }
    if (this.#standing.reports >= JUDGED_AFTER) this.#stoodAtMs = sourceMs;
    return sourceMs === this.#stoodAtMs;
  }

  /** True where the report strays from the learnt offset. */
  #learn(sourceMs: number, receivedMs: number): boolean {
    const sampleMs = receivedMs - sourceMs;
    if (this.#offsetMs === null || this.#samples.length < LEARNING) {
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

  /** True where a stray shows that another clock speaks beside the one that was learnt. */
  #isAnothers(stray: Stray, learntMs: number): boolean {
    if (!this.#isForgeable || Math.abs(stray.offsetMs - learntMs) <= HELD_UP_MS) return false;
    // A queue gives its reports out in their order: what it held up is newer than the last good one.
    if (stray.offsetMs > learntMs && stray.sourceMs > this.#good.sourceMs) return false;
    const recent = this.#others.filter(({ atMs }) => stray.atMs - atMs <= TWO_CLOCKS_MS);
    const ofOne = recent.filter((other) => isOfOneClock(other, stray));
    const isApart = stray.atMs - (ofOne.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY) >= APART_MS;
    this.#others = isApart ? [...recent, stray].slice(-MOST_OTHERS) : recent;
    const areTwo = this.#isFormer(stray) || ofOne.length + (isApart ? 1 : 0) >= JUDGED_AFTER;
    if (areTwo) this.#twoMs = stray.atMs;
    return areTwo;
  }

  /** True where the strays show that the clock is wrong, and not that they were late. */
  #straysDeny(learntMs: number): boolean {
    const several = this.#spread.length === JUDGED_AFTER && !isHeldUp(this.#spread, learntMs);
    return several || (this.#strays.length === LEARNING && runAway(this.#strays, learntMs));
  }

  /** True where a report is by a clock that was learnt before: both speak. */
  #isFormer({ atMs, offsetMs }: Stray): boolean {
    return this.#former.some(
      (one) => atMs - one.leftMs <= FORMER_MS && Math.abs(offsetMs - one.offsetMs) <= OUTLIER_MS,
    );
  }

  #relearn(lastMs: number, receivedMs: number): void {
    const areTwo = this.#isForgeable && this.#spread.every((stray) => this.#isFormer(stray));
    const left = { offsetMs: this.#offsetMs ?? Number.NaN, leftMs: receivedMs };
    this.#former = [...this.#former, left].slice(-MOST_FORMER);
    const offsets = this.#strays.map((stray) => stray.offsetMs);
    this.#samples = offsets.filter((ms) => Math.abs(ms - lastMs) <= RELEARN_DRIFT_MS);
    this.#offsetMs = median(this.#samples);
    this.#isDistrusted = areTwo;
    this.#forgetStrays();
  }

  /** A clock that was judged wrong is believed again after as many reports that agree with what was learnt, and none by another. */
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

/** Whether two strays may come from one clock: it runs at our pace, or it stands. */
function isOfOneClock(one: Stray, other: Stray): boolean {
  return one.sourceMs === other.sourceMs || Math.abs(one.offsetMs - other.offsetMs) <= RELEARN_DRIFT_MS;
}

function straysAgree(strays: readonly Stray[]): boolean {
  const offsets = strays.map((stray) => stray.offsetMs);
  return strays.length === JUDGED_AFTER && Math.max(...offsets) - Math.min(...offsets) <= RELEARN_DRIFT_MS;
}

/** True where reports are only late: their clock runs on, and they catch up, or are not far behind yet. */
function isHeldUp(strays: readonly Stray[], learntMs: number): boolean {
  return strays.every(({ sourceMs, offsetMs }, i) => {
    if (offsetMs <= learntMs) return false;
    const before = strays[i - 1];
    if (before && sourceMs <= before.sourceMs) return false;
    return !before || offsetMs <= before.offsetMs || offsetMs - learntMs <= HELD_UP_MS;
  });
}

/**
 * True where the source's clock goes on, and each stray is further off than the one before. What is late because it was
 * queued comes nearer while the queue empties, and nothing on its way makes a report early.
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

/**
 * The UTC milliseconds that `secondsAfterHour` means: the hour is the one that brings it nearest to the time that is
 * expected, which is the reception less the clock's known offset.
 */
export function timeWithinHour(secondsAfterHour: number, expectedMs: number): number {
  const hourStart = Math.floor(expectedMs / HOUR_MS) * HOUR_MS;
  const within = hourStart + secondsAfterHour * 1000;
  if (within - expectedMs > HOUR_MS / 2) return within - HOUR_MS;
  if (expectedMs - within > HOUR_MS / 2) return within + HOUR_MS;
  return within;
}

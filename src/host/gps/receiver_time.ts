/** Reports of one receiver whose offsets differ by less belong together: a serial line delays them by up to 1 s. */
export const NEAR_MS = 1_500;
/** Steady reports that a first time needs before it is believed. */
const FIRST_MS = 10_000;
const FIRST_REPORTS = 5;
/** A jump is shown once so many reports in a row agree on it; fewer are outliers, as a late date at midnight makes. */
const JUMP_REPORTS = 3;
const JUMP_MS = 2_000;
/** A jump that nothing contradicts is believed after this time: longer than the 12.5 min in which an almanac is received. */
const JUMP_HELD_MS = 900_000;
/** Before it has the almanac, a receiver guesses the leap seconds, and corrects itself by a few of them. */
const LEAP_MS = 4_000;
const LEAP_HELD_MS = 60_000;
const ALMANAC_MS = 900_000;
/** Reports further apart are no steady time. */
const GAP_MS = 10_000;
/** A believed time holds so long without a report: a crystal of 100 ppm drifts by 0.4 s. */
export const HOLD_MS = 3_600_000;
/**
 * Greatest change of the believed offset per ms. It covers the drift of a crystal; a time that is dragged away faster
 * becomes a jump. It follows late reports more slowly: the earliest arrival has the least delay.
 */
const RISE = 2e-4;
const FALL = 1e-4;

/** Other sources of the time: offset from world time to the UTC of each, ms. */
export type Witnesses = {
  /** Offset of the system clock; null where it was never set. */
  wallMs: number | null;
  /** Whether a time server keeps the system clock. */
  isWallKept: boolean;
  /** Offsets of the other receivers that are believed. */
  othersMs: readonly number[];
};

type Candidate = { firstMs: number; offsetMs: number; sinceMs: number; lastMs: number; reports: number };
/** Reports in a row that disagree with the believed time. */
type Contrary = { sinceMs: number; lastMs: number; reports: number; jumpMs: number };

/**
 * Judges the time that one receiver reports. An offset is the UTC of a sentence minus the world time of its arrival. The
 * delay of the line makes it smaller, so the greatest of a steady row is the best.
 */
export class ReceiverTime {
  readonly name: string;
  /** World time until which the leap seconds may still be corrected, once. */
  #almanacUntilMs: number;
  #candidate: Candidate | null = null;
  #contrary: Contrary | null = null;
  /** Believed offset from world time to UTC, ms; null before the first. */
  offsetMs: number | null = null;
  /** World time of the last report that agrees with the believed offset, ms. */
  goodMs = Number.NEGATIVE_INFINITY;
  /** World time of the last report, ms. */
  lastMs: number;

  constructor(name: string, nowMs: number) {
    this.name = name;
    this.#almanacUntilMs = nowMs + ALMANAC_MS;
    this.lastMs = nowMs;
  }

  /** Size of a jump that is not believed, ms; null where there is none. */
  jumpMs(): number | null {
    const contrary = this.#contrary;
    if (contrary === null || contrary.reports < JUMP_REPORTS) return null;
    return contrary.lastMs - contrary.sinceMs < JUMP_MS ? null : contrary.jumpMs;
  }

  take(utcMs: number, atMs: number, witnesses: Witnesses): void {
    const offsetMs = utcMs - atMs;
    if (atMs - this.lastMs > HOLD_MS) {
      this.offsetMs = null;
      this.#contrary = null;
    }
    const sinceGoodMs = atMs - this.goodMs;
    this.lastMs = atMs;
    if (this.offsetMs !== null && Math.abs(offsetMs - this.offsetMs) <= NEAR_MS) {
      this.offsetMs += Math.max(-FALL * sinceGoodMs, Math.min(RISE * sinceGoodMs, offsetMs - this.offsetMs));
      this.#agree(atMs);
      return;
    }
    if (this.offsetMs !== null) this.#contradict(offsetMs - this.offsetMs, atMs);
    const candidate = this.#follow(offsetMs, atMs);
    const stoodMs = atMs - candidate.sinceMs;
    if (candidate.reports < FIRST_REPORTS || stoodMs < this.#heldMs(candidate.offsetMs, witnesses, atMs)) return;
    // Without this limit, a time that is dragged away would be one correction after the other.
    if (this.offsetMs !== null) this.#almanacUntilMs = Number.NEGATIVE_INFINITY;
    this.offsetMs = candidate.offsetMs;
    this.#agree(atMs);
  }

  #agree(atMs: number): void {
    this.goodMs = atMs;
    this.#candidate = null;
    this.#contrary = null;
  }

  #contradict(jumpMs: number, atMs: number): void {
    this.#contrary ??= { sinceMs: atMs, lastMs: atMs, reports: 0, jumpMs };
    this.#contrary.lastMs = atMs;
    this.#contrary.reports++;
    this.#contrary.jumpMs = jumpMs;
  }

  #follow(offsetMs: number, atMs: number): Candidate {
    const known = this.#candidate;
    const goesOn = known !== null && atMs - known.lastMs <= GAP_MS && Math.abs(offsetMs - known.firstMs) <= NEAR_MS;
    const candidate = goesOn ? known : { firstMs: offsetMs, offsetMs, sinceMs: atMs, lastMs: atMs, reports: 0 };
    candidate.offsetMs = Math.max(candidate.offsetMs, offsetMs);
    candidate.lastMs = atMs;
    candidate.reports++;
    this.#candidate = candidate;
    return candidate;
  }

  /** Time that a row of steady reports must last before it is believed. */
  #heldMs(offsetMs: number, { wallMs, isWallKept, othersMs }: Witnesses, atMs: number): number {
    if (this.offsetMs === null) return FIRST_MS;
    const isNear = (oneMs: number, otherMs: number): boolean => Math.abs(oneMs - otherMs) <= NEAR_MS;
    if (wallMs !== null && isWallKept && isNear(wallMs, offsetMs)) return FIRST_MS;
    const standing = [...(wallMs === null ? [] : [wallMs]), ...othersMs];
    const isLeap = Math.abs(offsetMs - this.offsetMs) <= LEAP_MS && atMs <= this.#almanacUntilMs;
    if (isLeap) return LEAP_HELD_MS;
    // Whatever agreed with the time before, and did not jump with it, speaks against the jump.
    const known = this.offsetMs;
    return standing.some((oneMs) => isNear(oneMs, known)) ? Number.POSITIVE_INFINITY : JUMP_HELD_MS;
  }
}

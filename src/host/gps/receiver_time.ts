/** Tolerance within which two offsets agree, ms. A serial line delays reports by up to 1 s. */
export const NEAR_MS = 1_500;
/** Duration (ms) and number of steady reports after which a receiver is believed for the first time. */
const FIRST_MS = 10_000;
const FIRST_REPORTS = 5;
/**
 * Least number and duration (ms) of consecutive contradicting reports that are shown as a jump. Fewer reports are
 * outliers, for example from a date that arrives late at midnight.
 */
const JUMP_REPORTS = 3;
const JUMP_MS = 2_000;
/**
 * Time after which a jump is believed if no other source contradicts it, ms. It is longer than the 12.5 min in which a
 * receiver gets the almanac.
 */
const JUMP_HELD_MS = 900_000;
/**
 * Greatest jump that counts as a correction of leap seconds, ms. A receiver guesses the leap seconds until it has the
 * almanac, at most `ALMANAC_MS` after its first report. Such a jump is believed after `LEAP_HELD_MS`.
 */
const LEAP_MS = 4_000;
const LEAP_HELD_MS = 60_000;
const ALMANAC_MS = 900_000;
/** Greatest gap between two steady reports in a row, ms. */
const GAP_MS = 10_000;
/**
 * Time for which a believed offset stays valid without a report, ms: in this time a crystal of 100 ppm drifts by 0.4 s.
 */
export const HOLD_MS = 3_600_000;
/**
 * Greatest rise and fall of the believed offset, ms per ms. These rates cover the drift of a crystal. A time that a
 * spoofer drags away faster becomes a jump. Delays lower the offset of a report, and the report with the least delay is
 * the best. Therefore the offset falls more slowly than it rises.
 */
const RISE = 2e-4;
const FALL = 1e-4;

/** Other sources of time, with their offsets from world time to UTC, ms. */
export type Witnesses = {
  /** Offset of the system clock, ms; null if the system clock was never set. */
  wallMs: number | null;
  /** True if a time server keeps the system clock. */
  isWallKept: boolean;
  /** Believed offsets of the other receivers, ms. */
  othersMs: readonly number[];
};

type Candidate = { firstMs: number; offsetMs: number; sinceMs: number; lastMs: number; reports: number };
/**
 * Consecutive reports that contradict the believed offset. `jumpMs` is the last reported offset minus the believed one.
 */
type Contrary = { sinceMs: number; lastMs: number; reports: number; jumpMs: number };

/**
 * Judges the time that one receiver reports. An offset is the UTC in a report minus the world time of its arrival. The
 * delay of the serial line makes the offset smaller, so the greatest offset in a row of steady reports is the best.
 */
export class ReceiverTime {
  readonly name: string;
  /** World time until which one correction of the leap seconds is allowed, ms; −Infinity after a believed jump. */
  #almanacUntilMs: number;
  #candidate: Candidate | null = null;
  #contrary: Contrary | null = null;
  /** Believed offset from world time to UTC, ms; null while no time of the receiver is believed. */
  offsetMs: number | null = null;
  /** World time of the last report that agreed with the believed offset, ms; −Infinity before the first. */
  goodMs = Number.NEGATIVE_INFINITY;
  /** World time of the last report, ms. */
  lastMs: number;

  constructor(name: string, nowMs: number) {
    this.name = name;
    this.#almanacUntilMs = nowMs + ALMANAC_MS;
    this.lastMs = nowMs;
  }

  /** Returns the size of a jump that is not believed, ms; null without a jump. */
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
    // Only one leap-second correction is allowed. Otherwise a spoofer could drag the time away in small corrections.
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

  /** Returns the time for which steady reports must go on before their offset is believed, ms; Infinity for never. */
  #heldMs(offsetMs: number, { wallMs, isWallKept, othersMs }: Witnesses, atMs: number): number {
    if (this.offsetMs === null) return FIRST_MS;
    const isNear = (oneMs: number, otherMs: number): boolean => Math.abs(oneMs - otherMs) <= NEAR_MS;
    if (wallMs !== null && isWallKept && isNear(wallMs, offsetMs)) return FIRST_MS;
    const standing = [...(wallMs === null ? [] : [wallMs]), ...othersMs];
    const isLeap = Math.abs(offsetMs - this.offsetMs) <= LEAP_MS && atMs <= this.#almanacUntilMs;
    if (isLeap) return LEAP_HELD_MS;
    // A source that agrees with the offset from before the jump contradicts the jump.
    const known = this.offsetMs;
    return standing.some((oneMs) => isNear(oneMs, known)) ? Number.POSITIVE_INFINITY : JUMP_HELD_MS;
  }
}

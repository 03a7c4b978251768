import type { MslPosition } from '../edge/wire/mavlink/read_vehicle.ts';
import { Chart } from '../geo/flat/chart.ts';

/** Distance within which a reported target counts as the one that we ordered, m. */
const OURS_WITHIN_M = 30;
/** Time for which a vehicle may still report a target that we replaced, ms. */
const LINGERS_MS = 5_000;
/** Time for which another station's target must be reported before our command ends, ms. */
const ELSEWHERE_MS = 3_000;
/** Greatest age of a reported target that still counts, ms. */
const FRESH_MS = 3_000;
/** Time for which an earlier target may still be reported, over a slow link or from a queue, ms. */
const LATE_MS = 10_000;
const MOST_ORDERED = 64;

type Ordered = MslPosition & {
  orderedMs: number;
  withinM: number;
  /** The vehicle has accepted or reported this target. */
  isTaken: boolean;
};

/**
 * The target that a vehicle reports (POSITION_TARGET_GLOBAL_INT), compared with the one we ordered. Another station's
 * place in the same mode changes no heartbeat; only this message shows it.
 */
export class Targets {
  /** Whether a command of ours has moved the vehicle: the message is requested from then on. */
  isWatched = false;
  #ordered: Ordered[] = [];
  #reported: { place: MslPosition; atMs: number } | null = null;
  /** Earlier targets: our replaced or cancelled ones, and the vehicle's target before our first order. */
  #earlier: (MslPosition & { atMs: number })[] = [];
  /** Latest time seen, ms. */
  #latestMs = 0;
  /** Time since which each report is of another station's target, ms; null while they are of ours. */
  #foreignMs: number | null = null;
  /**
   * Time since which reports are of a target that was not in force before, ms: another station's order, not a late
   * report.
   */
  #newForeignMs: number | null = null;
  /** A target of ours has been reported since the last release. */
  #hasFollowed = false;
  /** A target of ours, ordered before another station's target was reported, has replaced that target. */
  #hasCrossed = false;
  /** Another station sent the vehicle elsewhere, and we have not ordered a place since. */
  isElsewhere = false;

  /**
   * Notes a place that will be ordered, or a waiting place, with its tolerance `withinM`. Returns the function to call
   * once the vehicle accepts the order.
   */
  order(place: MslPosition, nowMs: number, withinM = OURS_WITHIN_M): () => void {
    const before = this.#reported;
    this.#latestMs = nowMs;
    // Until our first order takes effect, the vehicle may still report its earlier target.
    if (this.#ordered.length === 0 && before && nowMs - before.atMs <= FRESH_MS) this.#push(before.place, nowMs);
    const ordered = this.#push(place, nowMs, withinM);
    this.isElsewhere = false;
    if (this.#hasCrossed) this.#clear();
    return () => {
      ordered.isTaken = true;
    };
  }

  #push({ latDeg, lonDeg, altMslM }: MslPosition, orderedMs: number, withinM = OURS_WITHIN_M): Ordered {
    const ordered = { latDeg, lonDeg, altMslM, orderedMs, withinM, isTaken: false };
    this.#ordered.push(ordered);
    if (this.#ordered.length > MOST_ORDERED) this.#ordered.shift();
    return ordered;
  }

  receive(place: MslPosition, atMs: number): void {
    this.#reported = { place, atMs };
    this.#latestMs = atMs;
    if (this.#ordered.length === 0) return;
    this.#prune(atMs);
    const at = this.#ordered.findLastIndex((ordered) => apartM(ordered, place) <= ordered.withinM);
    const ours = this.#ordered[at];
    if (!ours) {
      this.#foreignMs ??= atMs;
      if (!this.#wasInForce(place, atMs)) this.#newForeignMs ??= atMs;
      return;
    }
    ours.isTaken = true;
    // On a slow link an order of ours may cross another station's order and undo it: the vehicle was sent elsewhere all
    // the same.
    const crosses = this.#hasFollowed && this.#newForeignMs !== null && ours.orderedMs < this.#newForeignMs;
    this.#hasFollowed = true;
    if (crosses) this.#hasCrossed = true;
    else this.#clear();
  }

  #wasInForce(place: MslPosition, nowMs: number): boolean {
    return this.#earlier.some((one) => nowMs - one.atMs <= LATE_MS && apartM(one, place) <= OURS_WITHIN_M);
  }

  /** Notes that the vehicle flies to a target of ours again. */
  #clear(): void {
    this.#foreignMs = null;
    this.#newForeignMs = null;
    this.#hasCrossed = false;
  }

  #remember(places: readonly MslPosition[]): void {
    this.#earlier.push(...places.map((place) => ({ ...place, atMs: this.#latestMs })));
    this.#earlier.splice(0, this.#earlier.length - MOST_ORDERED);
  }

  /** True where the last report is of another station's target: nothing is sent meanwhile. */
  get isForeign(): boolean {
    return this.#foreignMs !== null;
  }

  /**
   * Starts watching at the sending of an order that leaves the place mode. The returned function is true where the
   * vehicle has reported a new target since that is not ours. Without an earlier report the time of a target is
   * unknown: false.
   */
  watch(nowMs: number): () => boolean {
    const before = this.#reported;
    if (!before || nowMs - before.atMs > FRESH_MS) return () => false;
    const known = [{ ...before.place, withinM: OURS_WITHIN_M }, ...this.#ordered];
    return () => {
      const last = this.#reported;
      return last !== null && last.atMs > nowMs && known.every((one) => apartM(one, last.place) > one.withinM);
    };
  }

  /** True where the latest report is from this time on; true for a vehicle that reports no target. */
  isReportedSince(ms: number): boolean {
    return this.#reported === null || this.#reported.atMs >= ms;
  }

  /** Whether our own target was reported within `withinMs`. */
  isConfirmed(nowMs: number, withinMs: number): boolean {
    return this.#foreignMs === null && this.#reported !== null && nowMs - this.#reported.atMs <= withinMs;
  }

  /** True where another station's target was reported for `ELSEWHERE_MS`, or crossed an order of ours; true only once. */
  isLost(nowMs: number): boolean {
    if (this.#foreignMs === null || (!this.#hasCrossed && nowMs - this.#foreignMs < ELSEWHERE_MS)) return false;
    this.release();
    this.isElsewhere = true;
    return true;
  }

  /** Forgets our target: the vehicle was ordered into another mode, or left the mode. */
  release(): void {
    this.#remember(this.#ordered);
    if (this.#reported) this.#remember([this.#reported.place]);
    this.#ordered = [];
    this.#clear();
    this.#hasFollowed = false;
    this.isElsewhere = false;
  }

  /**
   * Drops a target `LINGERS_MS` after the next one was ordered. The newest target that the vehicle took, and later
   * ones, stay.
   */
  #prune(nowMs: number): void {
    const newest = this.#ordered.findLastIndex(({ isTaken }) => isTaken);
    const stays = (index: number): boolean => {
      const next = this.#ordered[index + 1];
      return index >= newest || next === undefined || nowMs - next.orderedMs <= LINGERS_MS;
    };
    this.#remember(this.#ordered.filter((_, index) => !stays(index)));
    this.#ordered = this.#ordered.filter((_, index) => stays(index));
  }
}

function apartM(a: MslPosition, b: MslPosition): number {
  const flat = new Chart(a).spotOf(b);
  return Math.hypot(...flat, a.altMslM - b.altMslM);
}

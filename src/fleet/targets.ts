import type { MslPosition } from '../edge/wire/mavlink/read_vehicle.ts';
import { Chart } from '../geo/flat/chart.ts';

/** Distance within which a reported target counts as the one that we ordered, m. */
const OURS_WITHIN_M = 30;
/** Time for which a vehicle may still report a target that we have replaced, ms. */
const LINGERS_MS = 5_000;
/** Time for which another station's target must be reported before our command ends, ms. */
const ELSEWHERE_MS = 3_000;
/** Greatest age of a reported target that is used, ms. */
const FRESH_MS = 3_000;
/** Time for which an earlier target may still be reported, over a slow link or from a queue, ms. */
const LATE_MS = 10_000;
const MOST_ORDERED = 64;

type Ordered = MslPosition & {
  orderedMs: number;
  withinM: number;
  /** Whether the vehicle has accepted or reported this target. */
  isTaken: boolean;
};

/**
 * Compares the target that a vehicle reports (POSITION_TARGET_GLOBAL_INT) with the targets that we ordered. Only this
 * message reveals that another station ordered a position, because the mode in the heartbeat does not change.
 */
export class Targets {
  /** Whether a command of ours has moved the vehicle. From then on the target is requested from the vehicle. */
  isWatched = false;
  #ordered: Ordered[] = [];
  #reported: { place: MslPosition; atMs: number } | null = null;
  /** Earlier targets: ours that were replaced or cancelled, and the vehicle's target before our first order. */
  #earlier: (MslPosition & { atMs: number })[] = [];
  /** Time of the latest order or report, ms. */
  #latestMs = 0;
  /**
   * World time of the first report that showed none of our ordered targets, ms; else null. Its target may be another
   * station's, or a replaced one of ours. A report of our target clears it, except after a crossing (`#hasCrossed`).
   */
  #foreignMs: number | null = null;
  /**
   * World time at which a report first showed a target that was never active before, ms; else null. Such a target is
   * another station's order, not a late report.
   */
  #newForeignMs: number | null = null;
  /** Whether a target of ours has been reported since the last release. */
  #hasFollowed = false;
  /** Whether a target of ours replaced another station's target although ours was ordered earlier. */
  #hasCrossed = false;
  /**
   * Whether another station sent the vehicle elsewhere. False again after our next position order, and after `release`.
   */
  isElsewhere = false;

  /**
   * Records a target position with its tolerance `withinM`. Call it before the order is sent. Returns a function to
   * call when the vehicle accepts the order.
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
    // On a slow link, our order may arrive after the newer order of another station, and override it. The order of the
    // other station still counts, so it is not cleared here.
    const crosses = this.#hasFollowed && this.#newForeignMs !== null && ours.orderedMs < this.#newForeignMs;
    this.#hasFollowed = true;
    if (crosses) this.#hasCrossed = true;
    else this.#clear();
  }

  #wasInForce(place: MslPosition, nowMs: number): boolean {
    return this.#earlier.some((one) => nowMs - one.atMs <= LATE_MS && apartM(one, place) <= OURS_WITHIN_M);
  }

  /** Records that the vehicle flies to a target of ours again. */
  #clear(): void {
    this.#foreignMs = null;
    this.#newForeignMs = null;
    this.#hasCrossed = false;
  }

  #remember(places: readonly MslPosition[]): void {
    this.#earlier.push(...places.map((place) => ({ ...place, atMs: this.#latestMs })));
    this.#earlier.splice(0, this.#earlier.length - MOST_ORDERED);
  }

  /**
   * Whether reports show another station's target, or such a target has crossed an order of ours. Nothing must be sent
   * to the vehicle then.
   */
  get isForeign(): boolean {
    return this.#foreignMs !== null;
  }

  /**
   * Call this when sending an order that ends the flight to ordered positions. The returned function tells whether the
   * vehicle has since reported a new target that is not ours. It returns false if no recent report exists, because the
   * age of a target is then unknown.
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

  /** Whether the latest report is from time `ms` or later; also true for a vehicle that reports no targets. */
  isReportedSince(ms: number): boolean {
    return this.#reported === null || this.#reported.atMs >= ms;
  }

  /** Whether our own target was reported within `withinMs`. */
  isConfirmed(nowMs: number, withinMs: number): boolean {
    return this.#foreignMs === null && this.#reported !== null && nowMs - this.#reported.atMs <= withinMs;
  }

  /**
   * Whether another station's target was reported for `ELSEWHERE_MS`, or crossed an order of ours. Returns true only
   * once.
   */
  isLost(nowMs: number): boolean {
    if (this.#foreignMs === null || (!this.#hasCrossed && nowMs - this.#foreignMs < ELSEWHERE_MS)) return false;
    this.release();
    this.isElsewhere = true;
    return true;
  }

  /**
   * Drops all targets that we ordered, for example when the vehicle leaves guided mode. They are remembered, because late
   * reports may still show them.
   */
  release(): void {
    this.#remember(this.#ordered);
    if (this.#reported) this.#remember([this.#reported.place]);
    this.#ordered = [];
    this.#clear();
    this.#hasFollowed = false;
    this.isElsewhere = false;
  }

  /**
   * Drops targets `LINGERS_MS` after the next one was ordered. Keeps the newest target that the vehicle accepted or
   * reported, and all later ones.
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

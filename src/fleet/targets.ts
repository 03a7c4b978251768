import type { MslPosition } from '../edge/wire/mavlink/read_vehicle.ts';
import { Chart } from '../geo/flat/chart.ts';

/** A reported target within this distance of one that we ordered is ours. */
const OURS_WITHIN_M = 30;
/** Time for which a vehicle may still report a target that we replaced, ms. */
const LINGERS_MS = 5_000;
/** Time for which another station's target must be reported before our command ends, ms. */
const ELSEWHERE_MS = 3_000;
/** An older report says nothing of where the vehicle flies to now. */
const FRESH_MS = 3_000;
/** A place that was in force before may be reported so late, by a slow link or from a queue. */
const LATE_MS = 10_000;
const MOST_ORDERED = 64;

type Ordered = MslPosition & {
  orderedMs: number;
  withinM: number;
  /** The vehicle accepted it, or reported it. */
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
  /** Since when each report is of another's target. */
  #foreignMs: number | null = null;
  /** Since when each of them is of a place that was not in force before: no late report, but another's order. */
  #newForeignMs: number | null = null;
  /** One of ours has been reported since the last release. */
  #hasFollowed = false;
  /** A place of ours that had left before another's target was reported has replaced it. */
  #hasCrossed = false;
  /** Another station sent it elsewhere, and we have not controlled it since. */
  isElsewhere = false;

  /**
   * Notes a place that will be ordered, or a waiting place, with its tolerance `withinM`. Returns the function to call
   * once the vehicle accepts the order.
   */
  order(place: MslPosition, nowMs: number, withinM = OURS_WITHIN_M): () => void {
    const before = this.#reported;
    this.#latestMs = nowMs;
    // The place that it flew to before our first order may be reported until that takes effect.
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
    // On a slow link an order of ours may cross another's and undo it: the vehicle was sent elsewhere all the same.
    const crosses = this.#hasFollowed && this.#newForeignMs !== null && ours.orderedMs < this.#newForeignMs;
    this.#hasFollowed = true;
    if (crosses) this.#hasCrossed = true;
    else this.#clear();
  }

  #wasInForce(place: MslPosition, nowMs: number): boolean {
    return this.#earlier.some((one) => nowMs - one.atMs <= LATE_MS && apartM(one, place) <= OURS_WITHIN_M);
  }

  /** The vehicle flies to a place of ours again. */
  #clear(): void {
    this.#foreignMs = null;
    this.#newForeignMs = null;
    this.#hasCrossed = false;
  }

  #remember(places: readonly MslPosition[]): void {
    this.#earlier.push(...places.map((place) => ({ ...place, atMs: this.#latestMs })));
    this.#earlier.splice(0, this.#earlier.length - MOST_ORDERED);
  }

  /** True where the last report is of another's target: nothing is sent while it is. */
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

  /** True where another's target has just been reported for long enough; true once. */
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

  /** The newest place that the vehicle took stays; places before it linger, counted from when a later one was ordered. */
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

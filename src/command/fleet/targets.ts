import { Chart } from '../../geo/flat/chart.ts';

/** A place that a vehicle flies to; the altitude is above mean sea level. */
export type TargetPlace = { latDeg: number; lonDeg: number; altMslM: number };

/** A reported target within this distance of one that we ordered is ours. */
const OURS_WITHIN_M = 30;
/** A target that we replaced may be reported for so long. */
const LINGERS_MS = 5_000;
/** Another's target must be reported for so long before our command ends. */
const ELSEWHERE_MS = 3_000;
/** An older report says nothing of where the vehicle flies to now. */
const FRESH_MS = 3_000;
const MOST_ORDERED = 64;

type Ordered = TargetPlace & {
  orderedMs: number;
  withinM: number;
  /** The vehicle accepted it, or reported it. */
  isTaken: boolean;
};

/**
 * Where a vehicle reports that it flies to (POSITION_TARGET_GLOBAL_INT), held against where we sent it. Another station's
 * place in the same mode changes no heartbeat; this message alone tells it apart.
 */
export class Targets {
  /** Whether a command of ours has moved the vehicle: the message is asked for from then on. */
  isWatched = false;
  #ordered: Ordered[] = [];
  #reported: { place: TargetPlace; atMs: number } | null = null;
  /** Since when each report is of another's target. */
  #foreignMs: number | null = null;
  /** Another station sent it elsewhere, and it has not been in our hands since. */
  isElsewhere = false;

  /**
   * Notes a place that is about to be ordered, or where a vehicle waits for one, which is known to so many metres. Returns the
   * function to be called when the vehicle has accepted it.
   */
  order(place: TargetPlace, nowMs: number, withinM = OURS_WITHIN_M): () => void {
    const before = this.#reported;
    // The place that it flew to before our first order may be reported until that takes effect.
    if (this.#ordered.length === 0 && before && nowMs - before.atMs <= FRESH_MS) this.#push(before.place, nowMs);
    const ordered = this.#push(place, nowMs, withinM);
    this.isElsewhere = false;
    return () => {
      ordered.isTaken = true;
    };
  }

  #push({ latDeg, lonDeg, altMslM }: TargetPlace, orderedMs: number, withinM = OURS_WITHIN_M): Ordered {
    const ordered = { latDeg, lonDeg, altMslM, orderedMs, withinM, isTaken: false };
    this.#ordered.push(ordered);
    if (this.#ordered.length > MOST_ORDERED) this.#ordered.shift();
    return ordered;
  }

  receive(place: TargetPlace, atMs: number): void {
    this.#reported = { place, atMs };
    if (this.#ordered.length === 0) return;
    this.#prune(atMs);
    const at = this.#ordered.findLastIndex((ordered) => apartM(ordered, place) <= ordered.withinM);
    const ours = this.#ordered[at];
    if (ours) ours.isTaken = true;
    this.#foreignMs = ours ? null : (this.#foreignMs ?? atMs);
  }

  /** Whether the last report is of another's target: nothing is sent while it is. */
  get isForeign(): boolean {
    return this.#foreignMs !== null;
  }

  /** Whether a report of our own target came within so long. */
  isConfirmed(nowMs: number, withinMs: number): boolean {
    return this.#foreignMs === null && this.#reported !== null && nowMs - this.#reported.atMs <= withinMs;
  }

  /** Whether another's target has just been reported for long enough; true once. */
  isLost(nowMs: number): boolean {
    if (this.#foreignMs === null || nowMs - this.#foreignMs < ELSEWHERE_MS) return false;
    this.release();
    this.isElsewhere = true;
    return true;
  }

  /** It flies to no place of ours: it was ordered into another mode, or left it. */
  release(): void {
    this.#ordered = [];
    this.#foreignMs = null;
    this.isElsewhere = false;
  }

  /** The newest place that the vehicle took stays; places before it linger, counted from when a later one was ordered. */
  #prune(nowMs: number): void {
    const newest = this.#ordered.findLastIndex(({ isTaken }) => isTaken);
    this.#ordered = this.#ordered.filter((_, index) => {
      const next = this.#ordered[index + 1];
      return index >= newest || next === undefined || nowMs - next.orderedMs <= LINGERS_MS;
    });
  }
}

function apartM(a: TargetPlace, b: TargetPlace): number {
  const flat = new Chart(a.latDeg, a.lonDeg).spotOf({ lat: b.latDeg, lon: b.lonDeg });
  return Math.hypot(...flat, a.altMslM - b.altMslM);
}

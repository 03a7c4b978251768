import type { Told } from './told.ts';

const LEAST_REPORTS = 4;
/** Said to move, it cannot tell the same place for so long. */
const MOVING_S = 3.5;
/** Said to fly without moving, its place still trembles; some receivers smooth that for a while. */
const HOVERING_S = 30;
/** Slower than this is not said to move. */
const MOVES_MPS = 1;
const FORGET_S = 20;

/**
 * `static_clone`: the same report to the last digit while time goes on, as of one that was recorded once and is sent for ever. What
 * stands on the ground says the same for hours and is none. Found within 5 s where it says to move.
 */
export class StaticClone {
  #first: Told | null = null;
  #lastS = 0;
  #reports = 0;
  #found = false;

  get found(): boolean {
    return this.#found;
  }

  /** How long it has told the same. */
  get sinceS(): number {
    return this.#first ? this.#lastS - this.#first.heardS : 0;
  }

  hear(told: Told): void {
    const first = this.#first;
    if (!first || told.heardS - this.#lastS > FORGET_S || !isSame(first, told)) {
      this.#first = told;
      this.#reports = 0;
      this.#found = false;
    }
    this.#reports++;
    this.#lastS = told.heardS;
    if (this.#reports >= LEAST_REPORTS) this.#found ||= this.sinceS >= patienceS(told);
  }
}

function patienceS({ speedMps, climbMps, airborne }: Told): number {
  if (speedMps > MOVES_MPS || Math.abs(climbMps) > MOVES_MPS) return MOVING_S;
  return airborne === true ? HOVERING_S : Number.POSITIVE_INFINITY;
}

function isSame(a: Told, b: Told): boolean {
  return (
    a.latDeg === b.latDeg &&
    a.lonDeg === b.lonDeg &&
    Object.is(a.heightM, b.heightM) &&
    Object.is(a.speedMps, b.speedMps) &&
    Object.is(a.courseDeg, b.courseDeg) &&
    Object.is(a.climbMps, b.climbMps)
  );
}

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
  #latDeg = Number.NaN;
  #lonDeg = Number.NaN;
  #heightM = Number.NaN;
  #speedMps = Number.NaN;
  #eastMps = Number.NaN;
  #northMps = Number.NaN;
  #climbMps = Number.NaN;
  #firstS = Number.NaN;
  #lastS = Number.NaN;
  #reports = 0;
  found = false;

  /** How long it told the same when it was found last. */
  sinceS = 0;

  hear(told: Told): void {
    if (this.#reports === 0 || told.heardS - this.#lastS > FORGET_S || !this.#isSame(told)) this.#begin(told);
    this.#reports++;
    this.#lastS = told.heardS;
    const sinceS = this.#lastS - this.#firstS;
    if (this.#reports >= LEAST_REPORTS) this.found ||= sinceS >= patienceS(told);
    if (this.found) this.sinceS = sinceS;
  }

  #begin(told: Told): void {
    this.#latDeg = told.latDeg;
    this.#lonDeg = told.lonDeg;
    this.#heightM = told.heightM;
    this.#speedMps = told.speedMps;
    this.#eastMps = told.eastMps;
    this.#northMps = told.northMps;
    this.#climbMps = told.climbMps;
    this.#firstS = told.heardS;
    this.#reports = 0;
    this.found = false;
  }

  #isSame(told: Told): boolean {
    return (
      this.#latDeg === told.latDeg &&
      this.#lonDeg === told.lonDeg &&
      Object.is(this.#heightM, told.heightM) &&
      Object.is(this.#speedMps, told.speedMps) &&
      Object.is(this.#eastMps, told.eastMps) &&
      Object.is(this.#northMps, told.northMps) &&
      Object.is(this.#climbMps, told.climbMps)
    );
  }
}

function patienceS({ speedMps, climbMps, airborne }: Told): number {
  if (speedMps > MOVES_MPS || Math.abs(climbMps) > MOVES_MPS) return MOVING_S;
  return airborne === true ? HOVERING_S : Number.POSITIVE_INFINITY;
}

import type { Told } from './told.ts';

const LEAST_REPORTS = 4;
/** Said to move, it cannot tell the same place for so long. */
const MOVING_S = 3.5;
/** Said to fly without moving, its place still trembles; some receivers smooth that for a while. */
const HOVERING_S = 30;
/** Slower than this is not said to move. */
const MOVES_MPS = 1;
const FORGET_S = 20;

/** What it told first of what it has told since, when that was, and when it told it last. */
const SAID = {
  latDeg: 0,
  lonDeg: 1,
  heightM: 2,
  speedMps: 3,
  eastMps: 4,
  northMps: 5,
  climbMps: 6,
  firstS: 7,
  lastS: 8,
  width: 9,
} as const;

/**
 * `static_clone`: the same report to the last digit while time goes on, as of one that was recorded once and is sent for ever. What
 * stands on the ground says the same for hours and is none. Found within 5 s where it says to move.
 */
export class StaticClone {
  readonly #values: Float64Array;
  readonly #from: number;
  #reports = 0;
  found = false;

  /** How long it told the same when it was found last. */
  sinceS = 0;
  /** So many numbers it keeps. */
  static readonly numbers = SAID.width;

  constructor(values: Float64Array, from: number) {
    this.#values = values;
    this.#from = from;
  }

  hear(told: Told): void {
    const [values, from] = [this.#values, this.#from];
    if (this.#reports === 0 || told.heardS - this.#said(SAID.lastS) > FORGET_S || !this.#isSame(told))
      this.#begin(told);
    this.#reports++;
    values[from + SAID.lastS] = told.heardS;
    const sinceS = told.heardS - this.#said(SAID.firstS);
    if (this.#reports >= LEAST_REPORTS) this.found ||= sinceS >= patienceS(told);
    if (this.found) this.sinceS = sinceS;
  }

  #begin(told: Told): void {
    const [values, from] = [this.#values, this.#from];
    values[from + SAID.latDeg] = told.latDeg;
    values[from + SAID.lonDeg] = told.lonDeg;
    values[from + SAID.heightM] = told.heightM;
    values[from + SAID.speedMps] = told.speedMps;
    values[from + SAID.eastMps] = told.eastMps;
    values[from + SAID.northMps] = told.northMps;
    values[from + SAID.climbMps] = told.climbMps;
    values[from + SAID.firstS] = told.heardS;
    this.#reports = 0;
    this.found = false;
  }

  #isSame(told: Told): boolean {
    return (
      this.#said(SAID.latDeg) === told.latDeg &&
      this.#said(SAID.lonDeg) === told.lonDeg &&
      Object.is(this.#said(SAID.heightM), told.heightM) &&
      Object.is(this.#said(SAID.speedMps), told.speedMps) &&
      Object.is(this.#said(SAID.eastMps), told.eastMps) &&
      Object.is(this.#said(SAID.northMps), told.northMps) &&
      Object.is(this.#said(SAID.climbMps), told.climbMps)
    );
  }

  #said(column: number): number {
    return this.#values[this.#from + column] ?? Number.NaN;
  }
}

function patienceS({ speedMps, climbMps, airborne }: Told): number {
  if (speedMps > MOVES_MPS || Math.abs(climbMps) > MOVES_MPS) return MOVING_S;
  return airborne === true ? HOVERING_S : Number.POSITIVE_INFINITY;
}

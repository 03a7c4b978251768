import type { Report } from './report.ts';

const LEAST_REPORTS = 4;
/** A position that is unchanged for this time contradicts a reported movement, s. */
const LEAST_S = 3.5;
/**
 * Reported speed above which an aircraft certainly moves, m/s. Below it, the aircraft may hover, and its receiver's
 * error appears as speed.
 */
const MOVES_MPS = 1;
/** Speed below which a reported course is meaningless, m/s. */
const TURNS_MPS = 0.5;
const TURNED_DEG = 5;
const FORGET_S = 20;

/** Columns: position and course of the last report, start of the contradiction, and time of the last report. */
const SAID = { latDeg: 0, lonDeg: 1, heightM: 2, courseDeg: 3, againstS: 4, lastS: 5, width: 6 } as const;

/**
 * Check `static_clone`: reports state that the aircraft moves, but their positions are equal to the last digit. A
 * transmitter that repeats one recorded report causes this. Without a reported movement, an unchanged position
 * contradicts nothing: an aircraft that hovers or is on the ground may report one for hours.
 */
export class StaticClone {
  readonly #values: Float64Array;
  readonly #from: number;
  /** Number of consecutive reports that state a movement at the unchanged position. */
  #reports = 0;
  found = false;

  /** Duration of the last contradiction that was found, s (reported movement at an unchanged position). */
  sinceS = 0;
  /** Count of numbers that the check stores in `values`. */
  static readonly numbers = SAID.width;

  constructor(values: Float64Array, from: number) {
    this.#values = values;
    this.#from = from;
  }

  receive(report: Report): void {
    const courseDeg = courseOf(report);
    const isSame = report.receivedS - this.#said(SAID.lastS) <= FORGET_S && this.#isSamePlace(report);
    const isAgainst = isSame && this.#contradicts(report, courseDeg);
    if (!isAgainst) this.#begin(report.receivedS);
    else this.#reports++;
    this.#note(report, courseDeg);
    const sinceS = report.receivedS - this.#said(SAID.againstS);
    if (this.#reports + 1 >= LEAST_REPORTS) this.found ||= sinceS >= LEAST_S;
    if (this.found) this.sinceS = sinceS;
  }

  #begin(receivedS: number): void {
    this.#values[this.#from + SAID.againstS] = receivedS;
    this.#reports = 0;
    this.found = false;
  }

  #note(report: Report, courseDeg: number): void {
    const [values, from] = [this.#values, this.#from];
    values[from + SAID.latDeg] = report.latDeg;
    values[from + SAID.lonDeg] = report.lonDeg;
    values[from + SAID.heightM] = report.heightM;
    values[from + SAID.courseDeg] = courseDeg;
    values[from + SAID.lastS] = report.receivedS;
  }

  #isSamePlace({ latDeg, lonDeg }: Report): boolean {
    return this.#said(SAID.latDeg) === latDeg && this.#said(SAID.lonDeg) === lonDeg;
  }

  /** Whether the report states a movement although its position is unchanged. */
  #contradicts({ speedMps, climbMps, heightM }: Report, courseDeg: number): boolean {
    if (speedMps > MOVES_MPS) return true;
    if (Math.abs(climbMps) > MOVES_MPS && this.#said(SAID.heightM) === heightM) return true;
    const turnedDeg = Math.abs(courseDeg - this.#said(SAID.courseDeg));
    return speedMps > TURNS_MPS && Math.min(turnedDeg, 360 - turnedDeg) >= TURNED_DEG;
  }

  #said(column: number): number {
    return this.#values[this.#from + column] ?? Number.NaN;
  }
}

/** Reported course, degrees; NaN if none is reported. */
function courseOf({ eastMps, northMps }: Report): number {
  return (Math.atan2(eastMps, northMps) * 180) / Math.PI;
}

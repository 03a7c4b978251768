import { Lately } from './lately.ts';
import { eastM, northM, type Report } from './report.ts';

/** Span over which places are compared: below the least, noise dominates, and beyond the most, turns. */
const LEAST_S = 3.5;
const MOST_S = 6;
const APART_S = 0.4;
/**
 * Strikes in a row that count; each is this distance, plus the reported error, plus a share of the path for turns
 * reported late.
 */
const STRIKES = 2;
const SLACK_M = 15;
const SIGMAS = 3;
/** Bound of the reported error that is excused: a claim of kilometres excuses nothing. */
const MOST_SIGMA_M = 15;
const DEFAULT_SIGMA_M = 5;
const SHARE = 0.35;
/**
 * A step this far from the reported path, within this time, is a leap; a receiver that errs leaps away and back, and no
 * more.
 */
const LEAP_M = 100;
const LEAP_S = 3;
const LEAPS = 3;
const WAYPOINTS = Math.ceil(MOST_S / APART_S) + 2;
const POLE_DEG = 89.9;

/**
 * Columns of a waypoint. How far the places went from where the reported speeds lead, and the way that these make, are added up
 * from the first on; `leap` is 1 where it leapt there.
 */
const PATH = { timeS: 0, offEastM: 1, offNorthM: 2, pathM: 3, sigmaM: 4, leap: 5, width: 6 } as const;
/** Columns of the last report. */
const LAST = { latDeg: 0, lonDeg: 1, speedMps: 2, eastMps: 3, northMps: 4, width: 5 } as const;

/**
 * `speed_inconsistent`: the way that an aircraft's places make is not the way that its reported speed makes. Only what is reported is looked
 * at, so that it holds where no sensor looks. Found 5 s after it begins.
 */
export class ReportedSpeed {
  readonly #path: Lately;
  readonly #values: Float64Array;
  readonly #from: number;
  #strikes = 0;
  #leaps = 0;
  /** Distance of the last contradiction from where the reported speed led, and the time in which it arose. */
  offM = 0;
  withinS = 0;

  /** Count of numbers that it keeps. */
  static readonly numbers = LAST.width + PATH.width * WAYPOINTS;

  constructor(values: Float64Array, from: number) {
    this.#values = values;
    this.#from = from;
    this.#path = new Lately(PATH.width, WAYPOINTS, values, from + LAST.width);
  }

  get inconsistent(): boolean {
    return this.#strikes >= STRIKES || this.#leaps >= LEAPS;
  }

  receive(report: Report): void {
    if (!Number.isFinite(report.speedMps) || !(Math.abs(report.latDeg) < POLE_DEG)) return;
    const path = this.#path;
    const passedS = report.timeS - path.last(PATH.timeS);
    if (passedS < APART_S) return;
    if (!(passedS <= MOST_S)) this.#begin();
    while (path.length > 0 && report.timeS - path.at(0, PATH.timeS) > MOST_S) this.#forgetFirst();
    this.#add(report, passedS);
    this.#remember(report);
    if (path.length > 1 && passedS <= LEAP_S && this.#isOff(path.length - 2, LEAP_M)) {
      path.set(PATH.leap, 1);
      this.#leaps++;
    }
    let from = path.length - 2;
    while (from >= 0 && report.timeS - path.at(from, PATH.timeS) < LEAST_S) from--;
    if (from >= 0) this.#strikes = this.#isOff(from, SLACK_M) ? this.#strikes + 1 : 0;
  }

  #begin(): void {
    this.#path.clear();
    this.#leaps = 0;
  }

  #forgetFirst(): void {
    if (this.#path.at(0, PATH.leap) === 1) this.#leaps--;
    this.#path.dropFirst();
  }

  /** Adds the distance between its place and where the reported speeds lead since the report before. */
  #add(report: Report, passedS: number): void {
    const way = this.#path;
    let [offEastM, offNorthM, wayM] = [0, 0, 0];
    if (way.length > 0) {
      const [wasLatDeg, wasLonDeg] = [this.#last(LAST.latDeg), this.#last(LAST.lonDeg)];
      const goneEastM = eastM(wasLonDeg, report.lonDeg, (wasLatDeg + report.latDeg) / 2);
      const goneNorthM = northM(wasLatDeg, report.latDeg);
      const stepM = ((this.#last(LAST.speedMps) + report.speedMps) / 2) * passedS;
      const deadEastM = ((this.#last(LAST.eastMps) + eastOf(report)) / 2) * passedS;
      const deadNorthM = ((this.#last(LAST.northMps) + northOf(report)) / 2) * passedS;
      // Without a course only the distance is bounded: the aircraft comes no farther than its speed takes it.
      const known = !Number.isNaN(deadEastM + deadNorthM);
      const beyond = known ? 0 : Math.max(0, 1 - stepM / distanceM(goneEastM, goneNorthM)) || 0;
      offEastM = way.last(PATH.offEastM) + (known ? goneEastM - deadEastM : goneEastM * beyond);
      offNorthM = way.last(PATH.offNorthM) + (known ? goneNorthM - deadNorthM : goneNorthM * beyond);
      wayM = way.last(PATH.pathM) + stepM;
    }
    way.add();
    way.set(PATH.timeS, report.timeS);
    way.set(PATH.offEastM, offEastM);
    way.set(PATH.offNorthM, offNorthM);
    way.set(PATH.pathM, wayM);
    way.set(PATH.sigmaM, report.sigmaM || DEFAULT_SIGMA_M);
    way.set(PATH.leap, 0);
  }

  #remember(report: Report): void {
    const [values, from] = [this.#values, this.#from];
    values[from + LAST.latDeg] = report.latDeg;
    values[from + LAST.lonDeg] = report.lonDeg;
    values[from + LAST.speedMps] = report.speedMps;
    values[from + LAST.eastMps] = eastOf(report);
    values[from + LAST.northMps] = northOf(report);
  }

  #last(column: number): number {
    return this.#values[this.#from + column] ?? Number.NaN;
  }

  /** Whether the reported place of the last waypoint is off from where the reported speeds lead from an earlier one. */
  #isOff(from: number, slackM: number): boolean {
    const way = this.#path;
    const offEastM = way.last(PATH.offEastM) - way.at(from, PATH.offEastM);
    const offNorthM = way.last(PATH.offNorthM) - way.at(from, PATH.offNorthM);
    const wayM = way.last(PATH.pathM) - way.at(from, PATH.pathM);
    const offM = distanceM(offEastM, offNorthM);
    const sigmaM = Math.min(MOST_SIGMA_M, Math.max(way.at(from, PATH.sigmaM), way.last(PATH.sigmaM)));
    if (offM <= slackM + SIGMAS * sigmaM + SHARE * wayM) return false;
    this.offM = offM;
    this.withinS = way.last(PATH.timeS) - way.at(from, PATH.timeS);
    return true;
  }
}

/** A speed of nothing needs no course. */
function eastOf({ speedMps, eastMps }: Report): number {
  return speedMps === 0 ? 0 : eastMps;
}

function northOf({ speedMps, northMps }: Report): number {
  return speedMps === 0 ? 0 : northMps;
}

function distanceM(east: number, north: number): number {
  return Math.sqrt(east * east + north * north);
}

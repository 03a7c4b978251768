import { Lately } from './lately.ts';
import { eastM, northM, type Report } from './report.ts';

/** Span over which places are compared, s. In a shorter span noise dominates, in a longer one turns. */
const LEAST_S = 3.5;
const MOST_S = 6;
const APART_S = 0.4;
/**
 * Number of consecutive strikes that count. A strike is a distance beyond the sum of this slack, the reported error, and a
 * share of the path for turns reported late.
 */
const STRIKES = 2;
const SLACK_M = 15;
const SIGMAS = 3;
/** Greatest reported error that is allowed for, m: a claimed error of kilometres excuses no more. */
const MOST_SIGMA_M = 15;
const DEFAULT_SIGMA_M = 5;
const SHARE = 0.35;
/**
 * A step this far from the reported path, within this time, is a leap. A receiver error makes two leaps, away and back, and no
 * more.
 */
const LEAP_M = 100;
const LEAP_S = 3;
const LEAPS = 3;
const WAYPOINTS = Math.ceil(MOST_S / APART_S) + 2;
const POLE_DEG = 89.9;

/**
 * Columns of a waypoint, summed from the first waypoint on: how far the places are from those that the reported speeds predict,
 * and the length of the predicted path. `leap` is 1 where the place leapt.
 */
const PATH = { timeS: 0, offEastM: 1, offNorthM: 2, pathM: 3, sigmaM: 4, leap: 5, width: 6 } as const;
/** Columns of the last report. */
const LAST = { latDeg: 0, lonDeg: 1, speedMps: 2, eastMps: 3, northMps: 4, width: 5 } as const;

/**
 * `speed_inconsistent`: the path of an aircraft's reported places is not the path of its reported speeds. It needs no sensor,
 * since only reports are compared. Found 5 s after it begins.
 */
export class ReportedSpeed {
  readonly #path: Lately;
  readonly #values: Float64Array;
  readonly #from: number;
  #strikes = 0;
  #leaps = 0;
  /** Distance of the last contradiction from the place that the reported speed predicted, and the time in which it arose. */
  offM = 0;
  withinS = 0;

  /** Count of the numbers that it keeps in `values`. */
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

  /** Adds a waypoint: the distance between its place and the one that the reported speeds predict since the report before. */
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
      // Without a course only the distance is bounded: the aircraft flies no farther than its speed allows.
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

  /** Whether the last waypoint is off the place that the reported speeds predict from waypoint `from`. */
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

/** A speed of zero needs no course. */
function eastOf({ speedMps, eastMps }: Report): number {
  return speedMps === 0 ? 0 : eastMps;
}

function northOf({ speedMps, northMps }: Report): number {
  return speedMps === 0 ? 0 : northMps;
}

function distanceM(east: number, north: number): number {
  return Math.sqrt(east * east + north * north);
}

import { Lately } from './lately.ts';
import { eastM, northM, type Report } from './report.ts';

/**
 * Least and greatest time between two compared positions, s. Over shorter times noise dominates, over longer times
 * turns do.
 */
const LEAST_S = 3.5;
const MOST_S = 6;
const APART_S = 0.4;
/**
 * Number of consecutive strikes that make the speed inconsistent. A strike is a deviation greater than the sum of
 * `SLACK_M`, `SIGMAS` times the reported error, and a share of the path. The share covers turns that are reported late.
 */
const STRIKES = 2;
const SLACK_M = 15;
const SIGMAS = 3;
/**
 * Reported errors count only up to this limit, m. A claimed error of kilometres thus excuses no more than a moderate
 * one.
 */
const MOST_SIGMA_M = 15;
const DEFAULT_SIGMA_M = 5;
const SHARE = 0.35;
/**
 * A step is a leap if it deviates as a strike does, with `LEAP_M` instead of `SLACK_M`, and lasts at most `LEAP_S`. A
 * receiver error causes two leaps, away and back, so three leaps count.
 */
const LEAP_M = 100;
const LEAP_S = 3;
const LEAPS = 3;
const WAYPOINTS = Math.ceil(MOST_S / APART_S) + 2;
const POLE_DEG = 89.9;

/**
 * Columns of a waypoint. The deviation from the positions that the reported speeds predict, and the length of the
 * predicted path, are sums since the first waypoint. `leap` is 1 if the step to the waypoint was a leap.
 */
const PATH = { timeS: 0, offEastM: 1, offNorthM: 2, pathM: 3, sigmaM: 4, leap: 5, width: 6 } as const;
/** Columns of the last report. */
const LAST = { latDeg: 0, lonDeg: 1, speedMps: 2, eastMps: 3, northMps: 4, width: 5 } as const;

/**
 * Check `speed_inconsistent`: the reported positions do not agree with the reported speeds. Compares reports with each
 * other, so it needs no sensor. Detects a contradiction about 5 s after its beginning.
 */
export class ReportedSpeed {
  readonly #path: Lately;
  readonly #values: Float64Array;
  readonly #from: number;
  #strikes = 0;
  #leaps = 0;
  /** Last contradiction found: deviation from the predicted position, m, and the time over which it arose, s. */
  offM = 0;
  withinS = 0;

  /** Count of numbers that the check stores in `values`. */
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

  /** Adds a waypoint, with the deviation of its position from the position that the reported speeds predict. */
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
      // If no course is reported, only the distance is checked: the aircraft cannot fly farther than its speed allows.
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

  /** Whether the last waypoint deviates from the position that the reported speeds predict from waypoint `from`. */
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

/** Returns the reported velocity east. At speed zero it is 0 even if no course is reported. */
function eastOf({ speedMps, eastMps }: Report): number {
  return speedMps === 0 ? 0 : eastMps;
}

function northOf({ speedMps, northMps }: Report): number {
  return speedMps === 0 ? 0 : northMps;
}

function distanceM(east: number, north: number): number {
  return Math.sqrt(east * east + north * north);
}

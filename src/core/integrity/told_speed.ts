import { Lately } from './lately.ts';
import { eastM, northM, type Told } from './told.ts';

/** Places are compared over so long; nearer than the least they would tell noise, farther than the most, turns. */
const LEAST_S = 3.5;
const MOST_S = 6;
const APART_S = 0.4;
/** So often in a row, in so many metres, plus what it admits, plus a share of its way for turns told late. */
const STRIKES = 2;
const SLACK_M = 15;
const SIGMAS = 3;
/** Who claims to be lost in kilometres is not excused by it. */
const MOST_SIGMA_M = 15;
const DEFAULT_SIGMA_M = 5;
const SHARE = 0.35;
/** A step so far from the told way, within so short a time, is a leap; a receiver that errs leaps away and back, and no more. */
const LEAP_M = 100;
const LEAP_S = 3;
const LEAPS = 3;
const POLE_DEG = 89.9;

/** Columns of a waypoint. Way and dead reckoning are added up from the first on; `lost` counts the steps without a course, `leap` is 1 where it leapt there. */
const WAY = {
  timeS: 0,
  latDeg: 1,
  lonDeg: 2,
  speedMps: 3,
  eastMps: 4,
  northMps: 5,
  sigmaM: 6,
  eastM: 7,
  northM: 8,
  wayM: 9,
  lost: 10,
  leap: 11,
  width: 12,
} as const;

/**
 * `speed_inconsistent`: the way that an aircraft's places make is not the way that its told speed makes. Only what is told is looked
 * at, so that it holds where no sensor looks. Found 5 s after it begins.
 */
export class ToldSpeed {
  readonly #way = new Lately(WAY.width, Math.ceil(MOST_S / APART_S) + 1);
  #strikes = 0;
  #leaps = 0;
  /** How far the told speed led from the told place when it did last, and within what time. */
  offM = 0;
  withinS = 0;

  get inconsistent(): boolean {
    return this.#strikes >= STRIKES || this.#leaps >= LEAPS;
  }

  hear(told: Told): void {
    if (!Number.isFinite(told.speedMps) || !(Math.abs(told.latDeg) < POLE_DEG)) return;
    const way = this.#way;
    const passedS = told.timeS - way.last(WAY.timeS);
    if (passedS < APART_S) return;
    if (!(passedS <= MOST_S)) way.clear();
    while (way.length > 0 && told.timeS - way.at(0, WAY.timeS) > MOST_S) way.dropFirst();
    this.#add(told, way.length === 0 ? 0 : passedS);
    this.#countLeaps(passedS);
    let from = way.length - 1;
    while (from >= 0 && told.timeS - way.at(from, WAY.timeS) < LEAST_S) from--;
    if (from >= 0) this.#strikes = this.#isOff(from, SLACK_M) ? this.#strikes + 1 : 0;
  }

  /** Where the told speeds lead, added up from report to report. */
  #add(told: Told, passedS: number): void {
    const way = this.#way;
    const begins = way.length === 0;
    const halfS = passedS / 2;
    // A speed of nothing needs no course.
    const eastMps = told.speedMps === 0 ? 0 : told.eastMps;
    const northMps = told.speedMps === 0 ? 0 : told.northMps;
    const stepEastM = (way.last(WAY.eastMps) + eastMps) * halfS;
    const stepNorthM = (way.last(WAY.northMps) + northMps) * halfS;
    const known = !Number.isNaN(stepEastM + stepNorthM);
    const deadEastM = begins ? 0 : way.last(WAY.eastM) + (known ? stepEastM : 0);
    const deadNorthM = begins ? 0 : way.last(WAY.northM) + (known ? stepNorthM : 0);
    const wayM = begins ? 0 : way.last(WAY.wayM) + (way.last(WAY.speedMps) + told.speedMps) * halfS;
    const lost = begins ? 0 : way.last(WAY.lost) + (known ? 0 : 1);
    way.add();
    way.set(WAY.timeS, told.timeS);
    way.set(WAY.latDeg, told.latDeg);
    way.set(WAY.lonDeg, told.lonDeg);
    way.set(WAY.speedMps, told.speedMps);
    way.set(WAY.eastMps, eastMps);
    way.set(WAY.northMps, northMps);
    way.set(WAY.sigmaM, told.sigmaM || DEFAULT_SIGMA_M);
    way.set(WAY.eastM, deadEastM);
    way.set(WAY.northM, deadNorthM);
    way.set(WAY.wayM, wayM);
    way.set(WAY.lost, lost);
  }

  #countLeaps(passedS: number): void {
    const way = this.#way;
    const isLeap = way.length > 1 && passedS <= LEAP_S && this.#isOff(way.length - 2, LEAP_M);
    way.set(WAY.leap, isLeap ? 1 : 0);
    this.#leaps = 0;
    for (let i = 0; i < way.length; i++) this.#leaps += way.at(i, WAY.leap);
  }

  /** Whether the told place of the last waypoint is off from where the told speeds lead from an earlier one. */
  #isOff(from: number, slackM: number): boolean {
    const way = this.#way;
    const middleDeg = (way.at(from, WAY.latDeg) + way.last(WAY.latDeg)) / 2;
    const goneEastM = eastM(way.at(from, WAY.lonDeg), way.last(WAY.lonDeg), middleDeg);
    const goneNorthM = northM(way.at(from, WAY.latDeg), way.last(WAY.latDeg));
    const wayM = way.last(WAY.wayM) - way.at(from, WAY.wayM);
    const deadEastM = way.last(WAY.eastM) - way.at(from, WAY.eastM);
    const deadNorthM = way.last(WAY.northM) - way.at(from, WAY.northM);
    // Without a course only this is known: nobody comes farther than his speed takes him.
    const offM =
      way.last(WAY.lost) > way.at(from, WAY.lost)
        ? Math.max(0, distanceM(goneEastM, goneNorthM) - wayM)
        : distanceM(goneEastM - deadEastM, goneNorthM - deadNorthM);
    const sigmaM = Math.min(MOST_SIGMA_M, Math.max(way.at(from, WAY.sigmaM), way.last(WAY.sigmaM)));
    if (offM <= slackM + SIGMAS * sigmaM + SHARE * wayM) return false;
    this.offM = offM;
    this.withinS = way.last(WAY.timeS) - way.at(from, WAY.timeS);
    return true;
  }
}

function distanceM(east: number, north: number): number {
  return Math.sqrt(east * east + north * north);
}

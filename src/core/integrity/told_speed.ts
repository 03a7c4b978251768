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
const WAYPOINTS = Math.ceil(MOST_S / APART_S) + 2;
const POLE_DEG = 89.9;

/**
 * Columns of a waypoint. How far the places went from where the told speeds lead, and the way that these make, are added up
 * from the first on; `leap` is 1 where it leapt there.
 */
const WAY = { timeS: 0, offEastM: 1, offNorthM: 2, wayM: 3, sigmaM: 4, leap: 5, width: 6 } as const;
/** What was told last. */
const LAST = { latDeg: 0, lonDeg: 1, speedMps: 2, eastMps: 3, northMps: 4, width: 5 } as const;

/**
 * `speed_inconsistent`: the way that an aircraft's places make is not the way that its told speed makes. Only what is told is looked
 * at, so that it holds where no sensor looks. Found 5 s after it begins.
 */
export class ToldSpeed {
  readonly #way: Lately;
  readonly #values: Float64Array;
  readonly #from: number;
  #strikes = 0;
  #leaps = 0;
  /** How far the told speed led from the told place when it did last, and within what time. */
  offM = 0;
  withinS = 0;

  /** So many numbers it keeps. */
  static readonly numbers = LAST.width + WAY.width * WAYPOINTS;

  constructor(values: Float64Array, from: number) {
    this.#values = values;
    this.#from = from;
    this.#way = new Lately(WAY.width, WAYPOINTS, values, from + LAST.width);
  }

  get inconsistent(): boolean {
    return this.#strikes >= STRIKES || this.#leaps >= LEAPS;
  }

  hear(told: Told): void {
    if (!Number.isFinite(told.speedMps) || !(Math.abs(told.latDeg) < POLE_DEG)) return;
    const way = this.#way;
    const passedS = told.timeS - way.last(WAY.timeS);
    if (passedS < APART_S) return;
    if (!(passedS <= MOST_S)) this.#begin();
    while (way.length > 0 && told.timeS - way.at(0, WAY.timeS) > MOST_S) this.#forgetFirst();
    this.#add(told, passedS);
    this.#remember(told);
    if (way.length > 1 && passedS <= LEAP_S && this.#isOff(way.length - 2, LEAP_M)) {
      way.set(WAY.leap, 1);
      this.#leaps++;
    }
    let from = way.length - 2;
    while (from >= 0 && told.timeS - way.at(from, WAY.timeS) < LEAST_S) from--;
    if (from >= 0) this.#strikes = this.#isOff(from, SLACK_M) ? this.#strikes + 1 : 0;
  }

  #begin(): void {
    this.#way.clear();
    this.#leaps = 0;
  }

  #forgetFirst(): void {
    if (this.#way.at(0, WAY.leap) === 1) this.#leaps--;
    this.#way.dropFirst();
  }

  /** Adds how far its place went from where the told speeds lead since the report before. */
  #add(told: Told, passedS: number): void {
    const way = this.#way;
    let [offEastM, offNorthM, wayM] = [0, 0, 0];
    if (way.length > 0) {
      const [wasLatDeg, wasLonDeg] = [this.#last(LAST.latDeg), this.#last(LAST.lonDeg)];
      const goneEastM = eastM(wasLonDeg, told.lonDeg, (wasLatDeg + told.latDeg) / 2);
      const goneNorthM = northM(wasLatDeg, told.latDeg);
      const stepM = ((this.#last(LAST.speedMps) + told.speedMps) / 2) * passedS;
      const deadEastM = ((this.#last(LAST.eastMps) + eastOf(told)) / 2) * passedS;
      const deadNorthM = ((this.#last(LAST.northMps) + northOf(told)) / 2) * passedS;
      // Without a course only this is known: nobody comes farther than his speed takes him.
      const known = !Number.isNaN(deadEastM + deadNorthM);
      const beyond = known ? 0 : Math.max(0, 1 - stepM / distanceM(goneEastM, goneNorthM)) || 0;
      offEastM = way.last(WAY.offEastM) + (known ? goneEastM - deadEastM : goneEastM * beyond);
      offNorthM = way.last(WAY.offNorthM) + (known ? goneNorthM - deadNorthM : goneNorthM * beyond);
      wayM = way.last(WAY.wayM) + stepM;
    }
    way.add();
    way.set(WAY.timeS, told.timeS);
    way.set(WAY.offEastM, offEastM);
    way.set(WAY.offNorthM, offNorthM);
    way.set(WAY.wayM, wayM);
    way.set(WAY.sigmaM, told.sigmaM || DEFAULT_SIGMA_M);
    way.set(WAY.leap, 0);
  }

  #remember(told: Told): void {
    const [values, from] = [this.#values, this.#from];
    values[from + LAST.latDeg] = told.latDeg;
    values[from + LAST.lonDeg] = told.lonDeg;
    values[from + LAST.speedMps] = told.speedMps;
    values[from + LAST.eastMps] = eastOf(told);
    values[from + LAST.northMps] = northOf(told);
  }

  #last(column: number): number {
    return this.#values[this.#from + column] ?? Number.NaN;
  }

  /** Whether the told place of the last waypoint is off from where the told speeds lead from an earlier one. */
  #isOff(from: number, slackM: number): boolean {
    const way = this.#way;
    const offEastM = way.last(WAY.offEastM) - way.at(from, WAY.offEastM);
    const offNorthM = way.last(WAY.offNorthM) - way.at(from, WAY.offNorthM);
    const wayM = way.last(WAY.wayM) - way.at(from, WAY.wayM);
    const offM = distanceM(offEastM, offNorthM);
    const sigmaM = Math.min(MOST_SIGMA_M, Math.max(way.at(from, WAY.sigmaM), way.last(WAY.sigmaM)));
    if (offM <= slackM + SIGMAS * sigmaM + SHARE * wayM) return false;
    this.offM = offM;
    this.withinS = way.last(WAY.timeS) - way.at(from, WAY.timeS);
    return true;
  }
}

/** A speed of nothing needs no course. */
function eastOf({ speedMps, eastMps }: Told): number {
  return speedMps === 0 ? 0 : eastMps;
}

function northOf({ speedMps, northMps }: Told): number {
  return speedMps === 0 ? 0 : northMps;
}

function distanceM(east: number, north: number): number {
  return Math.sqrt(east * east + north * north);
}

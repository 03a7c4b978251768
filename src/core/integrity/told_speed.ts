import { stepM, type Told } from './told.ts';

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
const POLE_DEG = 89.9;

/** Added up from the first report on; `lost` counts the steps whose course is not known. */
type Waypoint = { told: Told; eastM: number; northM: number; wayM: number; lost: number };

/**
 * `speed_inconsistent`: the way that an aircraft's places make is not the way that its told speed makes. Only what is told is looked
 * at, so that it holds where no sensor looks. Found 5 s after it begins.
 */
export class ToldSpeed {
  #way: Waypoint[] = [];
  #strikes = 0;
  /** How far, at last, the told speed leads from the told place, and within what time. */
  offM = 0;
  withinS = 0;

  get inconsistent(): boolean {
    return this.#strikes >= STRIKES;
  }

  hear(told: Told): void {
    const last = this.#way.at(-1);
    if (!Number.isFinite(told.speedMps) || !(Math.abs(told.latDeg) < POLE_DEG)) return;
    const passedS = last ? told.timeS - last.told.timeS : 0;
    if (last && passedS < APART_S) return;
    if (!last || passedS > MOST_S) {
      this.#way = [{ told, eastM: 0, northM: 0, wayM: 0, lost: 0 }];
      return;
    }
    const next = this.#dead(last, told, passedS);
    this.#way.push(next);
    this.#way = this.#way.filter((waypoint) => told.timeS - waypoint.told.timeS <= MOST_S);
    const from = this.#way.findLast((waypoint) => told.timeS - waypoint.told.timeS >= LEAST_S);
    if (from) this.#compare(from, next);
  }

  /** Where the told speeds lead, added up from report to report. */
  #dead(last: Waypoint, told: Told, passedS: number): Waypoint {
    const [a, b] = [velocity(last.told), velocity(told)];
    const known = !Number.isNaN(a.eastMps + b.eastMps);
    return {
      told,
      eastM: last.eastM + (known ? ((a.eastMps + b.eastMps) / 2) * passedS : 0),
      northM: last.northM + (known ? ((a.northMps + b.northMps) / 2) * passedS : 0),
      wayM: last.wayM + ((last.told.speedMps + told.speedMps) / 2) * passedS,
      lost: last.lost + (known ? 0 : 1),
    };
  }

  #compare(from: Waypoint, to: Waypoint): void {
    const { eastM, northM } = stepM(from.told, to.told);
    const [deadEastM, deadNorthM] = [to.eastM - from.eastM, to.northM - from.northM];
    const wayM = to.wayM - from.wayM;
    // Without a course only this is known: nobody comes farther than his speed takes him.
    const offM =
      to.lost > from.lost
        ? Math.max(0, Math.hypot(eastM, northM) - wayM)
        : Math.hypot(eastM - deadEastM, northM - deadNorthM);
    const sigmaM = Math.min(
      MOST_SIGMA_M,
      Math.max(from.told.sigmaM || DEFAULT_SIGMA_M, to.told.sigmaM || DEFAULT_SIGMA_M),
    );
    this.#strikes = offM > SLACK_M + SIGMAS * sigmaM + SHARE * wayM ? this.#strikes + 1 : 0;
    this.offM = offM;
    this.withinS = to.told.timeS - from.told.timeS;
  }
}

function velocity({ speedMps, courseDeg }: Told): { eastMps: number; northMps: number } {
  if (speedMps === 0) return { eastMps: 0, northMps: 0 };
  const course = (courseDeg * Math.PI) / 180;
  return { eastMps: speedMps * Math.sin(course), northMps: speedMps * Math.cos(course) };
}

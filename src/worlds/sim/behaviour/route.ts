import type { ScenarioActor } from '../../../model/scenario.ts';
import type { Air } from '../flight/air.ts';
import type { Behaviour, Shift } from './behaviour.ts';
import { Hold } from './loiter.ts';
import { limitsAt, tightestM, toHeight, toPlace } from './steer.ts';

type Waypoint = ScenarioActor['route'][number];

/** So near, what hovers is at a place that it stays at. */
const THERE_M = 2;
/** What only passes by turns to the next place when it is so many seconds, and at least so far, away. */
const PASSING_S = 0.5;
const PASSING_M = 3;

/** From one place to the next, waiting where it is told to; done at the last, unless it begins again. */
export class Route implements Behaviour {
  readonly #route: readonly Waypoint[];
  readonly #shift: Shift;
  readonly #repeats: boolean;
  #next = 0;
  #heightM: number;
  #waiting: { untilS: number; hold: Hold } | null = null;

  /** `heightM`: where a waypoint has no height of its own, and none before it had. */
  constructor(route: readonly Waypoint[], repeats: boolean, heightM: number, shift: Shift) {
    this.#route = route;
    this.#repeats = repeats;
    this.#heightM = heightM;
    this.#shift = shift;
  }

  steer(air: Air, i: number, atS: number): boolean {
    const waypoint = this.#route[this.#next];
    if (!waypoint) return true;
    if (this.#waiting) {
      this.#waiting.hold.steer(air, i);
      if (atS < this.#waiting.untilS) return false;
      this.#waiting = null;
      return this.#passed();
    }
    const { wait_s, speed_mps } = waypoint;
    if (waypoint.height_m !== undefined) this.#heightM = waypoint.height_m + this.#shift.upM;
    const limits = limitsAt(air, i);
    const speed = speed_mps || limits.cruiseMps;
    toHeight(air, i, this.#heightM);
    const [eastM, northM] = [waypoint.east_m + this.#shift.eastM, waypoint.north_m + this.#shift.northM];
    const off = toPlace(air, i, eastM, northM, speed);
    if (off > this.#reachM(air, i, wait_s !== undefined)) return false;
    if (!wait_s) return this.#passed();
    this.#waiting = { untilS: atS + wait_s, hold: new Hold(this.#heightM) };
    return false;
  }

  #reachM(air: Air, i: number, stays: boolean): number {
    const limits = limitsAt(air, i);
    const speed = air.speedMps(i);
    if (!limits.hovers) return Math.max(PASSING_M, 1.2 * tightestM(limits, speed));
    const isLast = this.#next === this.#route.length - 1 && !this.#repeats;
    return stays || isLast ? THERE_M : Math.max(PASSING_M, PASSING_S * speed);
  }

  #passed(): boolean {
    this.#next++;
    if (this.#next < this.#route.length) return false;
    if (!this.#repeats) return true;
    this.#next = 0;
    return false;
  }
}

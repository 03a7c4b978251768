import type { Air } from '../flight/air.ts';
import type { Behaviour, Shift } from './behaviour.ts';
import { limitsAt, toHeight, toPlace } from './steer.ts';

/** A leader that is slower than this is taken to look where it looked before. */
const POINTS_MPS = 1;

export type Station = { rightM: number; aheadM: number; aboveM: number };

/** Keeps its place beside another, which turns as the other does. */
export class Formation implements Behaviour {
  readonly #leader: number;
  readonly #station: Station;
  readonly #shift: Shift;
  #course = 0;

  constructor(leader: number, station: Station, shift: Shift) {
    this.#leader = leader;
    this.#station = station;
    this.#shift = shift;
  }

  steer(air: Air, i: number): boolean {
    const leader = this.#leader;
    const [eastMps, northMps] = [air.eastMps[leader] as number, air.northMps[leader] as number];
    if (air.speedMps(leader) > POINTS_MPS) this.#course = Math.atan2(eastMps, northMps);
    const [sin, cos] = [Math.sin(this.#course), Math.cos(this.#course)];
    const { rightM, aheadM, aboveM } = this.#station;
    const eastM = (air.eastM[leader] as number) + rightM * cos + aheadM * sin + this.#shift.eastM;
    const northM = (air.northM[leader] as number) - rightM * sin + aheadM * cos + this.#shift.northM;
    toHeight(air, i, Math.max(0, (air.heightM[leader] as number) + aboveM + this.#shift.upM));
    toPlace(air, i, eastM, northM, limitsAt(air, i).maxMps, eastMps, northMps);
    return false;
  }
}

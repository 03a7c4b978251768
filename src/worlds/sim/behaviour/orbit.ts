import type { Air } from '../flight/air.ts';
import { type Aim, aimEastM, aimEastMps, aimNorthM, aimNorthMps } from './aim.ts';
import type { Behaviour, Shift } from './behaviour.ts';
import { limitsAt, round, toHeight } from './steer.ts';

export type OrbitOptions = {
  radiusM: number;
  clockwise: boolean;
  speedMps: number | undefined;
  heightM: number;
};

/** Round something, and with it where it goes. */
export class Orbit implements Behaviour {
  readonly #aim: Aim;
  readonly #options: OrbitOptions;
  readonly #shift: Shift;

  constructor(aim: Aim, options: OrbitOptions, shift: Shift) {
    this.#aim = aim;
    this.#options = options;
    this.#shift = shift;
  }

  steer(air: Air, i: number): boolean {
    const { radiusM, clockwise, speedMps, heightM } = this.#options;
    const speed = speedMps || limitsAt(air, i).cruiseMps;
    const eastM = aimEastM(air, this.#aim) + this.#shift.eastM;
    const northM = aimNorthM(air, this.#aim) + this.#shift.northM;
    const [eastMps, northMps] = [aimEastMps(air, this.#aim), aimNorthMps(air, this.#aim)];
    toHeight(air, i, heightM + this.#shift.upM);
    round(air, i, eastM, northM, radiusM, speed, clockwise ? 1 : -1, eastMps, northMps);
    return false;
  }
}

import type { Air } from '../flight/air.ts';
import type { Behaviour } from './behaviour.ts';
import { limitsAt, round, tightestM, toHeight, toPlace } from './steer.ts';

/** Of its cruising speed, what it circles with. */
const LEISURE = 0.6;

/** Circles about where it began to. */
export class Loiter implements Behaviour {
  readonly #radiusM: number;
  readonly #heightM: number;
  #centre: { eastM: number; northM: number } | null = null;

  constructor(radiusM: number, heightM: number) {
    this.#radiusM = radiusM;
    this.#heightM = heightM;
  }

  steer(air: Air, i: number): boolean {
    this.#centre ??= { eastM: air.eastM[i] as number, northM: air.northM[i] as number };
    const limits = limitsAt(air, i);
    const speed = Math.max(limits.cruiseMps * LEISURE, limits.minMps * 1.1);
    const radius = limits.hovers ? this.#radiusM : Math.max(this.#radiusM, tightestM(limits, speed));
    toHeight(air, i, this.#heightM);
    round(air, i, this.#centre.eastM, this.#centre.northM, radius, speed, 1);
    return false;
  }
}

/** Stays where it is; wings circle as tightly as they can. */
export class Hold implements Behaviour {
  readonly #heightM: number | undefined;
  #at: { eastM: number; northM: number; heightM: number } | null = null;
  #circling: Loiter | null = null;

  constructor(heightM?: number) {
    this.#heightM = heightM;
  }

  steer(air: Air, i: number): boolean {
    this.#at ??= {
      eastM: air.eastM[i] as number,
      northM: air.northM[i] as number,
      heightM: this.#heightM ?? (air.heightM[i] as number),
    };
    const limits = limitsAt(air, i);
    if (!limits.hovers) {
      this.#circling ??= new Loiter(tightestM(limits, limits.minMps), this.#at.heightM);
      return this.#circling.steer(air, i);
    }
    toHeight(air, i, this.#at.heightM);
    toPlace(air, i, this.#at.eastM, this.#at.northM, limits.cruiseMps);
    return false;
  }
}

import type { Chance } from '../chance.ts';
import type { Air } from '../flight/air.ts';
import type { Behaviour } from './behaviour.ts';
import { Hold } from './loiter.ts';
import { limitsAt, toHeight } from './steer.ts';

/** It flees until it is further away by this than what makes it flee. */
const RELIEF = 1.3;
/** It does not flee straight: so far to a side, and anew so often. */
const JINK_RAD = 0.6;
const JINK_S = [3, 8] as const;

/** Flees what comes near, and stays where it is when it has got away. */
export class Evade implements Behaviour {
  readonly #from: number;
  readonly #withinM: number;
  readonly #heightM: number;
  readonly #chance: Chance;
  #isFleeing = false;
  #jink = 0;
  #jinkUntilS = 0;
  #hold: Hold | null = null;

  constructor(from: number, withinM: number, heightM: number, chance: Chance) {
    this.#from = from;
    this.#withinM = withinM;
    this.#heightM = heightM;
    this.#chance = chance;
  }

  steer(air: Air, i: number, atS: number): boolean {
    const east = (air.eastM[i] as number) - (air.eastM[this.#from] as number);
    const north = (air.northM[i] as number) - (air.northM[this.#from] as number);
    const off = Math.hypot(east, north);
    this.#isFleeing = air.isFlying(this.#from) && off < this.#withinM * (this.#isFleeing ? RELIEF : 1);
    if (!this.#isFleeing) {
      this.#hold ??= new Hold(this.#heightM);
      return this.#hold.steer(air, i);
    }
    this.#hold = null;
    if (atS >= this.#jinkUntilS) {
      this.#jink = this.#chance.between(-JINK_RAD, JINK_RAD);
      this.#jinkUntilS = atS + this.#chance.between(...JINK_S);
    }
    const course = Math.atan2(east, north) + this.#jink;
    const { maxMps } = limitsAt(air, i);
    toHeight(air, i, this.#heightM);
    air.wishEastMps[i] = maxMps * Math.sin(course);
    air.wishNorthMps[i] = maxMps * Math.cos(course);
    return false;
  }
}

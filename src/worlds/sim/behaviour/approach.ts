import type { Air } from '../flight/air.ts';
import { type Aim, aimEastM, aimHeightM, aimNorthM } from './aim.ts';
import type { Behaviour, Shift } from './behaviour.ts';
import { limitsAt, round, tightestM, toHeight, toPlace } from './steer.ts';

/** Flies at something, and stays there: what hovers stands over it, wings go round it. */
export class Approach implements Behaviour {
  readonly #aim: Aim;
  readonly #speedMps: number | undefined;
  readonly #heightM: number | undefined;
  readonly #ownHeightM: number;
  readonly #shift: Shift;
  #isThere = false;

  /** `ownHeightM`: where neither the aim nor `heightM` says. */
  constructor(aim: Aim, speedMps: number | undefined, heightM: number | undefined, ownHeightM: number, shift: Shift) {
    this.#aim = aim;
    this.#speedMps = speedMps;
    this.#heightM = heightM;
    this.#ownHeightM = ownHeightM;
    this.#shift = shift;
  }

  steer(air: Air, i: number): boolean {
    const limits = limitsAt(air, i);
    const speed = this.#speedMps || limits.cruiseMps;
    const eastM = aimEastM(air, this.#aim) + this.#shift.eastM;
    const northM = aimNorthM(air, this.#aim) + this.#shift.northM;
    toHeight(air, i, this.#heightAt(air));
    const off = toPlace(air, i, eastM, northM, speed);
    if (limits.hovers) return false;
    const radius = tightestM(limits, Math.max(speed, limits.minMps));
    this.#isThere = off < radius * (this.#isThere ? 4 : 1);
    if (this.#isThere) round(air, i, eastM, northM, radius, speed, 1);
    return false;
  }

  #heightAt(air: Air): number {
    if (this.#heightM !== undefined) return this.#heightM + this.#shift.upM;
    const height = aimHeightM(air, this.#aim);
    return height === undefined ? this.#ownHeightM : height + this.#shift.upM;
  }
}

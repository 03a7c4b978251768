import type { Air } from '../flight/air.ts';
import type { Site } from '../site.ts';
import type { Stage } from '../stage.ts';

/** Where everybody is at one moment, between two steps of the flight: what sensors see. */
export class Sky {
  readonly stage: Stage;
  readonly site: Site;
  readonly air: Air;
  /** Of the scenario, s. */
  atS = 0;
  #sinceS = 0;

  constructor(stage: Stage, site: Site) {
    this.stage = stage;
    this.site = site;
    this.air = stage.air;
  }

  /** At a moment `sinceS` after the last step. */
  at(atS: number, sinceS: number): this {
    this.atS = atS;
    this.#sinceS = sinceS;
    return this;
  }

  eastM(body: number): number {
    return (this.air.eastM[body] as number) + (this.air.eastMps[body] as number) * this.#sinceS;
  }

  northM(body: number): number {
    return (this.air.northM[body] as number) + (this.air.northMps[body] as number) * this.#sinceS;
  }

  /** Above the ground. */
  heightM(body: number): number {
    return Math.max(0, (this.air.heightM[body] as number) + (this.air.climbMps[body] as number) * this.#sinceS);
  }
}

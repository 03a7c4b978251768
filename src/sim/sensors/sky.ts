import type { Air } from '../aircraft/flight/air.ts';
import type { Site } from '../kernel/site.ts';
import type { Population } from '../population/population.ts';

/** Positions of bodies at a time between two flight steps, as sensors see them: extrapolated from the last step. */
export class Sky {
  readonly population: Population;
  readonly site: Site;
  readonly air: Air;
  /** Scenario time, s. */
  atS = 0;
  #sinceS = 0;

  constructor(population: Population, site: Site) {
    this.population = population;
    this.site = site;
    this.air = population.air;
  }

  /** Sets the scenario time; `sinceS` is the time since the last flight step, s. */
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

  /** Returns the height of a body above the ground, m. */
  heightM(body: number): number {
    return Math.max(0, (this.air.heightM[body] as number) + (this.air.climbMps[body] as number) * this.#sinceS);
  }
}

import type { ScenarioSpec } from '../../../model/scenario.ts';
import type { Chance } from '../../kernel/chance.ts';
import type { Air } from './air.ts';

const DEGREE = Math.PI / 180;
/** Time constant of a gust, s. The gust changes once in `GUST_EVERY_STEPS` steps of the flight. */
const GUST_S = 4;
export const GUST_EVERY_STEPS = 4;
/** Peak of a gust in standard deviations. `gusts_mps` of a scenario is the peak, as pilots understand it. */
const PEAKS = 2.5;

/** Velocity of the air, m/s: it points to where the air moves. */
export type Wind = { eastMps: number; northMps: number };

/** Wind, which is the same for the whole site, and gusts, which are independent for each body. */
export class Weather {
  readonly eastMps: number;
  readonly northMps: number;
  readonly #sigmaMps: number;

  constructor(wind: ScenarioSpec['wind']) {
    const { speed_mps = 0, from_deg = 0, gusts_mps = 0 } = wind ?? {};
    this.eastMps = speed_mps === 0 ? 0 : -speed_mps * Math.sin(from_deg * DEGREE);
    this.northMps = speed_mps === 0 ? 0 : -speed_mps * Math.cos(from_deg * DEGREE);
    this.#sigmaMps = gusts_mps / PEAKS;
  }

  get isGusty(): boolean {
    return this.#sigmaMps > 0;
  }

  /** Advances the gust of body `i` by `sinceS`. */
  gust(air: Air, i: number, chance: Chance, sinceS: number): void {
    const kept = Math.exp(-sinceS / GUST_S);
    const sigma = this.#sigmaMps * Math.sqrt(1 - kept * kept);
    air.gustEastMps[i] = (air.gustEastMps[i] as number) * kept + sigma * chance.normal();
    air.gustNorthMps[i] = (air.gustNorthMps[i] as number) * kept + sigma * chance.normal();
  }

  /** Returns the wind with its gust at body `i`. */
  at(air: Air, i: number): Wind {
    return {
      eastMps: this.eastMps + (air.gustEastMps[i] as number),
      northMps: this.northMps + (air.gustNorthMps[i] as number),
    };
  }
}

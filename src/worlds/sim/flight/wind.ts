import type { ScenarioSpec } from '../../../model/scenario.ts';
import type { Chance } from '../chance.ts';
import type { Air } from './air.ts';

const DEGREE = Math.PI / 180;
/** A gust lasts for some seconds, and changes a few times in each. */
const GUST_S = 4;
export const GUST_EVERY_STEPS = 4;
/** What pilots call gusts of so much are its peaks. */
const PEAKS = 2.5;

/** Towards where the air moves. */
export type Wind = { eastMps: number; northMps: number };

/** The same wind everywhere, and gusts that each body meets by itself. */
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

  /** Moves the gust on that body `i` meets. */
  gust(air: Air, i: number, chance: Chance, sinceS: number): void {
    const kept = Math.exp(-sinceS / GUST_S);
    const sigma = this.#sigmaMps * Math.sqrt(1 - kept * kept);
    air.gustEastMps[i] = (air.gustEastMps[i] as number) * kept + sigma * chance.normal();
    air.gustNorthMps[i] = (air.gustNorthMps[i] as number) * kept + sigma * chance.normal();
  }

  /** What body `i` flies in. */
  at(air: Air, i: number): Wind {
    return {
      eastMps: this.eastMps + (air.gustEastMps[i] as number),
      northMps: this.northMps + (air.gustNorthMps[i] as number),
    };
  }
}

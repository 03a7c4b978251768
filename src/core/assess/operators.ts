import { AREA, AREA_HEAD, AREA_STATE } from '../../model/area_row.ts';
import type { Operator } from '../../model/observation.ts';
import { type Areas, areaStates } from '../areas.ts';

/** How far the pilots say to be from each thing of the site. Asked again only where a pilot moved or the site changed. */
export class Operators {
  readonly #areas: Areas;
  readonly #known = new Map<number, { operator: Operator; distances: Map<number, number> }>();
  readonly #state = areaStates(1);

  constructor(areas: Areas) {
    this.#areas = areas;
  }

  /** By the thing's place in the site; what is far from a pilot is not in it. */
  distancesOf(number: number, operator: Operator | null): ReadonlyMap<number, number> {
    if (!operator || operator.lat === null || operator.lon === null) {
      this.#known.delete(number);
      return none;
    }
    const known = this.#known.get(number);
    if (known?.operator === operator) return known.distances;
    const distances = this.#measure(operator.lat, operator.lon);
    this.#known.set(number, { operator, distances });
    return distances;
  }

  forget(number: number): void {
    this.#known.delete(number);
  }

  /** The site is another. */
  clear(): void {
    this.#known.clear();
  }

  #measure(latDeg: number, lonDeg: number): Map<number, number> {
    const state = this.#state;
    state[AREA_STATE.lat] = latDeg;
    state[AREA_STATE.lon] = lonDeg;
    state.fill(0, AREA_STATE.eastMps, AREA_STATE.upMps + 1);
    const { heads, rows } = this.#areas.measureStates(state, 0);
    const distances = new Map<number, number>();
    const count = heads[AREA_HEAD.measured] ?? 0;
    for (let at = 0; at < count * AREA.width; at += AREA.width)
      distances.set(rows[at + AREA.thing] ?? -1, rows[at + AREA.distanceM] ?? Number.NaN);
    return distances;
  }
}

const none: ReadonlyMap<number, number> = new Map();

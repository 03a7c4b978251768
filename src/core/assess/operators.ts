import type { Operator } from '../../model/observation.ts';
import { AREA, AREA_HEAD, AREA_STATE } from '../../model/rows/layouts.ts';
import { type Areas, areaStates } from '../tracking/areas.ts';

/**
 * Distances of the reported pilot positions from the areas of the site. They are measured again only when a pilot moves
 * or the site changes.
 */
export class Operators {
  readonly #areas: Areas;
  readonly #known = new Map<number, { operator: Operator; distances: Map<number, number> }>();
  readonly #state = areaStates(1);

  constructor(areas: Areas) {
    this.#areas = areas;
  }

  /** Takes the pilot position that a track reports; null if none is reported. */
  learn(number: number, operator: Operator | null): void {
    if (!operator || operator.lat === null || operator.lon === null) {
      if (this.#known.size > 0) this.#known.delete(number);
    } else if (this.#known.get(number)?.operator !== operator)
      this.#known.set(number, { operator, distances: this.#measure(operator.lat, operator.lon) });
  }

  /** Returns the pilot's distances, m, by area index. Areas far from the pilot are left out. */
  distancesOf(number: number): ReadonlyMap<number, number> {
    return this.#known.size === 0 ? none : (this.#known.get(number)?.distances ?? none);
  }

  forget(number: number): void {
    this.#known.delete(number);
  }

  /** Drops all distances after a change of the site. */
  clear(): void {
    this.#known.clear();
  }

  #measure(latDeg: number, lonDeg: number): Map<number, number> {
    const state = this.#state;
    state[AREA_STATE.latDeg] = latDeg;
    state[AREA_STATE.lonDeg] = lonDeg;
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

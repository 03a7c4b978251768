import type { DecisionPolicy } from '../../model/decision_config.ts';
import { AreaColumns, type Settled, settle } from './area_columns.ts';
import { areaFactors as table } from './factors/table.ts';
import type { Situation } from './situation.ts';
import { WeightColumn } from './weights.ts';

// V8 folds constants of this file, but looks imported ones up at every use.
const areaFactors = table;
/** Areas that one track is measured against, see `Areas.mostMeasured`. */
const ROOM = 16;

/**
 * Points of the area factors for one track and the areas near it: upper bounds for all areas, and exact points for areas whose
 * height and dwell are settled. Both add the same factors in the same order, so no bound is below its points.
 */
export class AreaPoints {
  readonly #weights = new WeightColumn(areaFactors);
  #columns = new AreaColumns(ROOM);
  readonly #settled: Settled = { inside: 0, height: 0, dwellS: 0 };
  /** By factor: the column that its `most` may fill, and the column of upper bounds that `most` returned. */
  #own = areaFactors.map(() => new Float64Array(ROOM));
  readonly #most: (Float64Array | null)[] = areaFactors.map(() => null);
  /** By row, then by factor: the strength once the row is settled. */
  #strengths = new Float64Array(ROOM * areaFactors.length);
  /** By row: the upper bound, and the exact points once the row is settled. */
  #points = new Float64Array(ROOM);

  /** The measured columns, to be filled with `count` rows before `bound`. */
  columns(count: number): AreaColumns {
    if (count > this.#columns.room) {
      this.#columns = new AreaColumns(count);
      this.#own = areaFactors.map(() => new Float64Array(count));
      this.#strengths = new Float64Array(count * areaFactors.length);
      this.#points = new Float64Array(count);
    }
    this.#columns.count = count;
    return this.#columns;
  }

  /**
   * Computes the upper bound of every row. Returns the row with the highest bound; among equals, the one deepest inside or
   * nearest.
   */
  bound(situation: Situation, policy: DecisionPolicy): number {
    const columns = this.#columns;
    const points = this.#points;
    const weights = this.#weights.of(policy);
    const { count, importance, distanceM } = columns;
    columns.derive(situation, policy.curves);
    for (let i = 0; i < count; i++) points[i] = 0;
    for (let place = 0; place < areaFactors.length; place++) {
      const factor = areaFactors[place];
      const own = this.#own[place];
      if (!factor || !own) continue;
      const most = factor.most(columns, situation, policy.curves, own);
      const weight = weights[place] ?? 0;
      this.#most[place] = most;
      if (!most) continue;
      for (let i = 0; i < count; i++) points[i] = (points[i] ?? 0) + weight * (importance[i] ?? 0) * (most[i] ?? 0);
    }
    let highest = 0;
    let highestSoFar = points[0] ?? 0;
    for (let i = 1; i < count; i++) {
      const most = points[i] ?? 0;
      if (most < highestSoFar) continue;
      if (most === highestSoFar && !((distanceM[i] ?? 0) < (distanceM[highest] ?? 0))) continue;
      highest = i;
      highestSoFar = most;
    }
    return highest;
  }

  /** Computes the exact points of row `i`, once after `bound`. */
  settle(i: number, heightGapM: number, dwellS: number, situation: Situation, policy: DecisionPolicy): void {
    const { curves } = policy;
    const weights = this.#weights.of(policy);
    const settled = this.#settled;
    const strengths = this.#strengths;
    const mosts = this.#most;
    const { importance, there } = this.#columns;
    const importanceOfRow = importance[i] ?? 0;
    settle(settled, there[i] ?? 0, heightGapM, dwellS, situation, curves);
    let points = 0;
    for (let place = 0; place < areaFactors.length; place++) {
      const how = areaFactors[place]?.strength ?? 'most';
      let strength = mosts[place]?.[i] ?? 0;
      if (how === 'most_at_height') strength = settled.height * strength;
      else if (how !== 'most') strength = how(settled, curves);
      strengths[i * areaFactors.length + place] = strength;
      points += (weights[place] ?? 0) * importanceOfRow * strength;
    }
    this.#points[i] = points;
  }

  /** Exact points of row `i` if it is settled, otherwise their upper bound. */
  of(i: number): number {
    return this.#points[i] ?? 0;
  }

  /** Order of settled rows by their points; ties are broken by distance and id, so the order of the rows does not matter. */
  isBefore(i: number, id: string, other: number, otherId: string): boolean {
    const { distanceM } = this.#columns;
    const points = this.#points[i] ?? 0;
    const otherPoints = this.#points[other] ?? 0;
    if (points !== otherPoints) return points > otherPoints;
    const apartM = distanceM[i] ?? Number.NaN;
    const otherM = distanceM[other] ?? Number.NaN;
    return apartM === otherM ? id < otherId : apartM < otherM;
  }

  /** Weight and contribution of each factor in row `i`, which is settled. */
  parts(i: number, policy: DecisionPolicy): { weight: number; contribution: number }[] {
    const weights = this.#weights.of(policy);
    return areaFactors.map((_, place) => {
      const weight = (weights[place] ?? 0) * (this.#columns.importance[i] ?? 0);
      return { weight, contribution: weight * (this.#strengths[i * areaFactors.length + place] ?? 0) };
    });
  }
}

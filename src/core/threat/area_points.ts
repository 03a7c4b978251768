import type { DecisionPolicy } from '../../model/decision_config.ts';
import { AreaColumns, type Settled, settle } from './area_columns.ts';
import { areaFactors as table } from './factors/table.ts';
import type { Situation } from './situation.ts';
import { WeightColumn } from './weights.ts';

// This is a copy of an imported constant. V8 folds constants of the same module into the code, but looks up imported
// ones at every use.
const areaFactors = table;
/** Initial number of rows; `columns` adds more when needed. One measurement has at most `Areas.mostMeasured` rows. */
const ROOM = 16;

/**
 * Points of the area factors for one track: an upper bound for every near area, and exact points for settled areas. An
 * area is settled when its height and dwell are computed. Bound and points are sums of the same factors in the same
 * order, so rounding never makes a bound lower than the points.
 */
export class AreaPoints {
  readonly #weights = new WeightColumn(areaFactors);
  #columns = new AreaColumns(ROOM);
  readonly #settled: Settled = { inside: 0, height: 0, dwellS: 0 };
  /**
   * Per factor: `#own` has a column that the factor's function `most` may fill. `#most` has the column of upper bounds
   * that `most` returned; null if all are 0.
   */
  #own = areaFactors.map(() => new Float64Array(ROOM));
  readonly #most: (Float64Array | null)[] = areaFactors.map(() => null);
  /** Strengths of settled rows, ordered by row, then by factor. */
  #strengths = new Float64Array(ROOM * areaFactors.length);
  /** Per row: the upper bound, replaced by the exact points when the row is settled. */
  #points = new Float64Array(ROOM);

  /** Returns the measured columns. The caller fills `count` rows before it calls `bound`. */
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
   * Computes the upper bound of every row. Returns the row with the highest bound; on a tie, the row with the smallest
   * distance, which is negative inside an area.
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

  /** Computes the exact points of row `i`. Call it after `bound`. */
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

  /** Returns the exact points of row `i` if the row is settled, otherwise its upper bound. */
  of(i: number): number {
    return this.#points[i] ?? 0;
  }

  /**
   * Whether settled row `i` has more points than row `other`. If the points are equal, distance and then id decide, so
   * the result does not depend on the order of rows.
   */
  isBefore(i: number, id: string, other: number, otherId: string): boolean {
    const { distanceM } = this.#columns;
    const points = this.#points[i] ?? 0;
    const otherPoints = this.#points[other] ?? 0;
    if (points !== otherPoints) return points > otherPoints;
    const apartM = distanceM[i] ?? Number.NaN;
    const otherM = distanceM[other] ?? Number.NaN;
    return apartM === otherM ? id < otherId : apartM < otherM;
  }

  /** Weight and contribution of each factor in settled row `i`. */
  parts(i: number, policy: DecisionPolicy): { weight: number; contribution: number }[] {
    const weights = this.#weights.of(policy);
    return areaFactors.map((_, place) => {
      const weight = (weights[place] ?? 0) * (this.#columns.importance[i] ?? 0);
      return { weight, contribution: weight * (this.#strengths[i * areaFactors.length + place] ?? 0) };
    });
  }
}

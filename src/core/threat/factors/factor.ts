import type { DecisionPolicy } from '../../../model/decision_config.ts';
import type { FactorUnit, ThreatFactorId } from '../../../model/threat.ts';
import type { AreaColumns, Settled } from '../area_columns.ts';
import type { AreaRelation, Situation } from '../situation.ts';

export type Curves = DecisionPolicy['curves'];

/** Input of a factor's sentence. */
export type Reading = {
  value: number;
  contribution: number;
  situation: Situation;
  relation: AreaRelation;
  policy: DecisionPolicy;
};

type Factor<Id> = {
  id: Id;
  /** Unit of the value; null for a factor that only holds or does not hold. */
  unit: FactorUnit | null;
  text(reading: Reading): string;
};

/** A factor that depends on one protected area; its points scale with the area's importance. */
export type AreaFactor = Factor<keyof DecisionPolicy['weights']> & {
  value(standing: AreaRelation, situation: Situation): number;
  /**
   * Upper bound of the strength in each area: a share of the weight, 0 to 1, for any height and dwell. Returns `into`, filled,
   * or the column of `areas` with the same values; null where all are 0.
   */
  most(areas: AreaColumns, situation: Situation, curves: Curves, into: Float64Array): Float64Array | null;
  /**
   * Strength in one area. `most` is the upper bound, which is exact where neither height nor dwell matters. `most_at_height` is
   * the bound reduced by the height above the ceiling. The names spare most factors a function.
   */
  strength: 'most' | 'most_at_height' | ((settled: Settled, curves: Curves) => number);
};

/** A factor that depends on the track alone. */
export type TrackFactor = Factor<keyof DecisionPolicy['weights']> & {
  value(situation: Situation): number;
  /** Share of the weight that counts, 0 to 1. */
  strength(situation: Situation, curves: Curves): number;
};

/** A factor that reduces the sum of all others. */
export type SumFactor = Factor<Exclude<ThreatFactorId, keyof DecisionPolicy['weights']>> & {
  value(situation: Situation): number;
  /** Share of the weight that counts, 0 to 1. */
  strength(situation: Situation): number;
  /** Points at full strength, 0 or below; `sum` is the sum of all contributions so far. */
  weight(sum: number, situation: Situation, policy: DecisionPolicy): number;
};

import type { DecisionPolicy } from '../../../model/decision_config.ts';
import type { FactorUnit, ThreatFactorId } from '../../../model/threat.ts';
import type { AreaColumns, Settled } from '../area_columns.ts';
import type { AreaRelation, Situation } from '../situation.ts';

export type Curves = DecisionPolicy['curves'];

/** Inputs of a factor's sentence. */
export type Reading = {
  value: number;
  contribution: number;
  situation: Situation;
  relation: AreaRelation;
  policy: DecisionPolicy;
};

type Factor<Id> = {
  id: Id;
  /** Unit of the value; null for a factor that is either true or false. */
  unit: FactorUnit | null;
  text(reading: Reading): string;
};

/** A factor that depends on one protected area. Its points are multiplied by the area's importance. */
export type AreaFactor = Factor<keyof DecisionPolicy['weights']> & {
  value(standing: AreaRelation, situation: Situation): number;
  /**
   * Upper bound of the strength in each area, 0 to 1, over all heights relative to the area and all dwell times.
   * Returns a column: `into` after filling it, or a column of `areas` that already has the values. Returns null if all
   * values are 0.
   */
  most(areas: AreaColumns, situation: Situation, curves: Curves, into: Float64Array): Float64Array | null;
  /**
   * Strength in one area. `most`: the upper bound, for factors without dwell or height relative to the area.
   * `most_at_height`: the upper bound multiplied by `Settled.height`. A function computes any other strength.
   */
  strength: 'most' | 'most_at_height' | ((settled: Settled, curves: Curves) => number);
};

/** A factor that depends only on the track. */
export type TrackFactor = Factor<keyof DecisionPolicy['weights']> & {
  value(situation: Situation): number;
  /** Share of the weight that applies, 0 to 1. */
  strength(situation: Situation, curves: Curves): number;
};

/** A factor that lowers the sum of the factors before it. */
export type SumFactor = Factor<Exclude<ThreatFactorId, keyof DecisionPolicy['weights']>> & {
  value(situation: Situation): number;
  /** Share of the weight that applies, 0 to 1. */
  strength(situation: Situation): number;
  /** Points at full strength, at most 0. `sum` is the sum of all contributions so far. */
  weight(sum: number, situation: Situation, policy: DecisionPolicy): number;
};

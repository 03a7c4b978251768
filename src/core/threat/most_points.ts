import type { DecisionPolicy } from '../../model/decision_config.ts';
import { HARDLY_MOVES_MPS, PASSING_LATE, SURELY_COMES } from './factors/approach.ts';
import { fall, held, rise } from './ramp.ts';
import type { Situation } from './situation.ts';

/** What sums may be off by, added in another order. */
const ROUNDING = 1e-9;

/** What of the standings of a track says how much each counts at most: number by number, since it is asked of all. */
export class Approached {
  readonly importance: Float64Array;
  readonly distanceM: Float64Array;
  readonly closingMps: Float64Array;
  readonly cpaDistanceM: Float64Array;
  readonly operatorDistanceM: Float64Array;
  /** The points of each at most: good where they were asked for. */
  readonly most: Float64Array;
  /** Of how many. */
  count = 0;

  constructor(room: number) {
    const column = (): Float64Array => new Float64Array(room);
    [this.importance, this.distanceM, this.closingMps] = [column(), column(), column()];
    [this.cpaDistanceM, this.operatorDistanceM, this.most] = [column(), column(), column()];
  }
}

/**
 * What the points that depend on each thing are at most, by where the track is and how it flies alone, whatever its height: soon
 * said, without the functions that take long, so that of many things few have to be looked at any closer. Answers the place of
 * the one with the most; the first where there is none.
 */
export function tellMost(of: Approached, situation: Situation, { weights, curves }: DecisionPolicy): number {
  const { importance, distanceM, closingMps, cpaDistanceM, operatorDistanceM, most, count } = of;
  const low = fall(situation.heightM, curves.altitude_low_m, curves.altitude_high_m);
  const loiters = rise(situation.loiterS, curves.loiter_from_s, curves.loiter_full_s);
  const nearWeight = weights.proximity + weights.low_altitude * low + weights.loiter * loiters;
  const thereWeight = weights.inside + weights.dwell;
  const { speedMps, positionSigmaM } = situation;
  const sigmaM = positionSigmaM || 0;
  const { proximity_far_m: farM, edge_ramp_m: rampM, closing_fast_mps: fastMps, near_miss_m: missByM } = curves;
  const [perFarM, perRampM, perFastMps] = [1 / (farM - curves.proximity_near_m), 1 / rampM, 0.5 / fastMps];
  const lateS = curves.eta_late_s;
  const latestS = PASSING_LATE * lateS;
  const [perLateS, perLatestS] = [1 / (lateS - curves.eta_soon_s), 1 / (latestS - curves.eta_soon_s)];
  let likeliest = 0;
  let mostOfAll = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    const apartM = distanceM[i] ?? Number.NaN;
    const fastest = closingMps[i] ?? Number.NaN;
    const near = held((farM - apartM) * perFarM);
    const there = held((rampM - apartM) * perRampM);
    const notThere = 1 - there;
    let points = nearWeight * near + thereWeight * there;
    points += weights.closing * (there + notThere * near * held((fastest + fastMps) * perFastMps));
    points += weights.operator_near * fall(operatorDistanceM[i] ?? Number.NaN, 0, curves.operator_near_m);
    const comes = held(fastest / ((speedMps || Math.abs(fastest)) + HARDLY_MOVES_MPS) / SURELY_COMES);
    if (comes === 0) points += (weights.approach + weights.closest_approach) * there;
    else {
      const inS = apartM <= 0 ? 0 : apartM / fastest;
      const missM = Math.max(0, (cpaDistanceM[i] ?? Number.NaN) - sigmaM);
      // A straight line lies above the ramp by ratio, and 1 / (1 + x + x² / 2) above the bell.
      const miss = missM / missByM;
      const x = (miss * miss) / 2;
      const hits = (comes * held((lateS - inS) * perLateS)) / (1 + x + (x * x) / 2);
      const beside = fall(missM, 0, curves.passing_far_m) * held((latestS - inS) * perLatestS) * comes;
      points += weights.approach * (there + notThere * hits) + weights.closest_approach * (there + notThere * beside);
    }
    points = points * (importance[i] ?? 0) * (1 + ROUNDING) + ROUNDING;
    most[i] = points;
    if (points <= mostOfAll) continue;
    mostOfAll = points;
    likeliest = i;
  }
  return likeliest;
}

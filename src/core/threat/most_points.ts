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
  /** All NaN, or what was there before, where the pilot is not known to be near any of them. */
  readonly operatorDistanceM: Float64Array;
  knowsPilot = false;
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

/** What is the same for all tracks under a policy, as numbers of one kind; to divide takes longer than all else. */
class Slopes {
  #policy: DecisionPolicy | null = null;
  farM = Number.NaN;
  rampM = Number.NaN;
  fastMps = Number.NaN;
  lateS = Number.NaN;
  latestS = Number.NaN;
  passingM = Number.NaN;
  perFarM = Number.NaN;
  perRampM = Number.NaN;
  perFastMps = Number.NaN;
  perLateS = Number.NaN;
  perLatestS = Number.NaN;
  perMissM = Number.NaN;
  perPassingM = Number.NaN;
  closing = Number.NaN;
  approach = Number.NaN;
  passing = Number.NaN;

  of(policy: DecisionPolicy): this {
    if (policy === this.#policy) return this;
    this.#policy = policy;
    const { weights, curves } = policy;
    const { eta_soon_s: soonS, eta_late_s: lateS } = curves;
    this.farM = curves.proximity_far_m;
    this.rampM = curves.edge_ramp_m;
    this.fastMps = curves.closing_fast_mps;
    this.lateS = lateS;
    this.latestS = PASSING_LATE * lateS;
    this.passingM = curves.passing_far_m;
    this.perFarM = 1 / (curves.proximity_far_m - curves.proximity_near_m);
    this.perRampM = 1 / curves.edge_ramp_m;
    this.perFastMps = 0.5 / curves.closing_fast_mps;
    this.perLateS = 1 / (lateS - soonS);
    this.perLatestS = 1 / (PASSING_LATE * lateS - soonS);
    this.perMissM = 1 / curves.near_miss_m;
    this.perPassingM = 1 / curves.passing_far_m;
    this.closing = weights.closing;
    this.approach = weights.approach;
    this.passing = weights.closest_approach;
    return this;
  }
}

const slopes = new Slopes();

/**
 * What the points that depend on each thing are at most, by where the track is and how it flies alone, whatever its height: soon
 * said, without the functions that take long, so that of many things few have to be looked at any closer. Answers the place of
 * the one with the most, of several the nearest or that which it is the deepest in; the first where there is none.
 */
export function tellMost(of: Approached, situation: Situation, policy: DecisionPolicy): number {
  const { weights, curves } = policy;
  const { importance, distanceM, closingMps, cpaDistanceM, operatorDistanceM, most, count, knowsPilot } = of;
  const { farM, rampM, fastMps, lateS, latestS, passingM } = slopes.of(policy);
  const { perFarM, perRampM, perFastMps, perLateS, perLatestS, perMissM, perPassingM } = slopes;
  const { closing: closingWeight, approach: approachWeight, passing: passWeight } = slopes;
  const low = fall(situation.heightM, curves.altitude_low_m, curves.altitude_high_m);
  const loiters = rise(situation.loiterS, curves.loiter_from_s, curves.loiter_full_s);
  const nearWeight = weights.proximity + weights.low_altitude * low + weights.loiter * loiters;
  const thereWeight = weights.inside + weights.dwell;
  const { speedMps } = situation;
  const sigmaM = situation.positionSigmaM || 0;
  const perWayMps = 1 / ((speedMps + HARDLY_MOVES_MPS) * SURELY_COMES);
  let likeliest = 0;
  let mostOfAll = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) {
    const apartM = distanceM[i] ?? Number.NaN;
    const fastest = closingMps[i] ?? Number.NaN;
    const near = held((farM - apartM) * perFarM);
    const there = held((rampM - apartM) * perRampM);
    const notThere = 1 - there;
    let points = nearWeight * near + thereWeight * there;
    points += closingWeight * (there + notThere * near * held((fastest + fastMps) * perFastMps));
    if (knowsPilot)
      points += weights.operator_near * fall(operatorDistanceM[i] ?? Number.NaN, 0, curves.operator_near_m);
    if (!(fastest > 0)) points += (approachWeight + passWeight) * there;
    else {
      const comes = speedMps > 0 ? Math.min(1, fastest * perWayMps) : 1;
      const inS = apartM <= 0 ? 0 : apartM / fastest;
      const missM = Math.max(0, (cpaDistanceM[i] ?? Number.NaN) - sigmaM);
      // A straight line lies above the ramp by ratio, and 1 / (1 + x + x² / 2) above the bell.
      const miss = missM * perMissM;
      const x = (miss * miss) / 2;
      const hits = (comes * held((lateS - inS) * perLateS)) / (1 + x + (x * x) / 2);
      const beside = held((passingM - missM) * perPassingM) * held((latestS - inS) * perLatestS) * comes;
      points += approachWeight * (there + notThere * hits) + passWeight * (there + notThere * beside);
    }
    points = points * (importance[i] ?? 0) * (1 + ROUNDING) + ROUNDING;
    most[i] = points;
    if (points < mostOfAll || (points === mostOfAll && !(apartM < (distanceM[likeliest] ?? Number.NaN)))) continue;
    mostOfAll = points;
    likeliest = i;
  }
  return likeliest;
}

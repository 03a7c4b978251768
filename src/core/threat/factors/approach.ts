import { reachS } from '../area_columns.ts';
import { fall, fallByRatio, rise } from '../ramp.ts';
import { metres, seconds } from '../words.ts';
import type { AreaFactor } from './factor.ts';

/**
 * Speed, m/s, below which a track is described as stationary. Below this closing speed, its distance is described as
 * constant.
 */
const STANDS_MPS = 0.5;
/**
 * A pass scores only if it comes sooner than this multiple of `eta_late_s`. An arrival must come sooner than
 * `eta_late_s`.
 */
const PASSING_LATE = 2;

/**
 * Combines two shares like the probabilities of independent events, so that the result is continuous. If `a` is 1, as
 * inside an area, the result is 1 on any course.
 */
function either(a: number, b: number): number {
  return a + (1 - a) * b;
}

const approach: AreaFactor = {
  id: 'approach',
  unit: 's',
  value: ({ distanceM, closingMps }) => reachS(distanceM, closingMps),
  most({ count, there, coming, countComing, comes, reachS, missM }, _situation, curves, into) {
    const { eta_soon_s: soonS, eta_late_s: lateS, near_miss_m: nearMissM } = curves;
    const span = Math.log(lateS / soonS);
    for (let i = 0; i < count; i++) into[i] = there[i] ?? 0;
    for (let k = 0; k < countComing; k++) {
      const i = coming[k] ?? 0;
      const soon = (comes[i] ?? 0) * fallByRatio(reachS[i] ?? Number.NaN, soonS, lateS, span);
      if (soon === 0) continue;
      const miss = (missM[i] ?? Number.NaN) / nearMissM;
      into[i] = either(there[i] ?? 0, soon * Math.exp(-(miss * miss) / 2));
    }
    return into;
  },
  strength: 'most_at_height',
  text({ value, situation: { speedMps }, relation: { name, etaS, etaSigmaS, distanceM, closingMps } }) {
    if (distanceM <= 0) return `It is at ${name} now.`;
    if (!Number.isFinite(value)) return `It is at the edge of ${name} and does not come closer.`;
    const stands = !(speedMps > STANDS_MPS) && !(closingMps > STANDS_MPS);
    if (stands) return `It is stationary, and may still come to ${name}.`;
    if (!Number.isFinite(etaS)) return `At its closing speed it could reach ${name} in ${seconds(value)}.`;
    const sigma = Number.isFinite(etaSigmaS) ? ` (± ${seconds(etaSigmaS)})` : '';
    return `On its present course it reaches ${name} in ${seconds(etaS)}${sigma}.`;
  },
};

const closestApproach: AreaFactor = {
  id: 'closest_approach',
  unit: 'm',
  value: ({ cpaDistanceM }) => cpaDistanceM,
  most({ count, there, coming, countComing, comes, reachS, missM }, _situation, curves, into) {
    const { eta_soon_s: soonS, passing_far_m: farM } = curves;
    const lateS = PASSING_LATE * curves.eta_late_s;
    for (let i = 0; i < count; i++) into[i] = there[i] ?? 0;
    for (let k = 0; k < countComing; k++) {
      const i = coming[k] ?? 0;
      const passes = fall(missM[i] ?? Number.NaN, 0, farM) * fall(reachS[i] ?? Number.NaN, soonS, lateS);
      into[i] = either(there[i] ?? 0, passes * (comes[i] ?? 0));
    }
    return into;
  },
  strength: 'most_at_height',
  text({ value, situation: { speedMps }, relation: { name, distanceM, cpaInS } }) {
    const stands = !(speedMps > STANDS_MPS);
    if (distanceM <= 0) return stands ? `It is stationary in ${name}.` : `It flies in ${name}.`;
    // A stationary aircraft has no meaningful course.
    if (stands) return `It is stationary ${metres(distanceM)} from ${name}.`;
    if (value > 0 && cpaInS <= 0) return `It flies away from ${name}, ${metres(distanceM)} from it now.`;
    return value > 0
      ? `On its present course it passes ${name} at ${metres(value)}, in ${seconds(cpaInS)}.`
      : `Its present course leads into ${name}.`;
  },
};

const closing: AreaFactor = {
  id: 'closing',
  unit: 'mps',
  value: ({ closingMps }) => closingMps,
  most({ count, near, there, closingMps }, _situation, { closing_fast_mps: fastMps }, into) {
    for (let i = 0; i < count; i++) {
      // A closing speed of 0 scores half, because a stationary track may still come. A track that recedes at full speed
      // scores nothing.
      const fast = rise(closingMps[i] ?? Number.NaN, -fastMps, fastMps) * (near[i] ?? 0);
      into[i] = either(there[i] ?? 0, fast);
    }
    return into;
  },
  strength: 'most_at_height',
  text({ value, situation: { speedMps, loiterS }, relation: { name, distanceM }, policy }) {
    if (distanceM <= 0) return `It is already at ${name}.`;
    const mps = Math.abs(value).toFixed(0);
    if (!(Math.abs(value) > STANDS_MPS)) return `Its distance from ${name} does not change.`;
    // The closing speed may be known although the speed is unknown. The text must not then say that the aircraft flies.
    if (!(speedMps > STANDS_MPS)) return `Its distance from ${name} ${value > 0 ? 'shrinks' : 'grows'} at ${mps} m/s.`;
    // An aircraft that circles comes closer to the area during half of each circle.
    const circling = loiterS >= policy.curves.loiter_from_s ? 'It is circling, and at this moment it' : 'It';
    return value > 0
      ? `${circling} closes on ${name} at ${mps} m/s.`
      : `${circling} moves away from ${name} at ${mps} m/s.`;
  },
};

export const approachFactors: readonly AreaFactor[] = [approach, closestApproach, closing];

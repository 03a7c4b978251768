import type { DecisionPolicy } from '../../../model/decision_config.ts';
import { fall, fallByRatio, rise } from '../ramp.ts';
import type { Situation, Standing } from '../situation.ts';
import { FACTOR, type Tally } from '../tally.ts';
import { metres, seconds, type Wordings } from '../words.ts';
import type { Shares } from './nearness.ts';

const { approach: APPROACH, closest_approach: CLOSEST_APPROACH, closing: CLOSING } = FACTOR;

/**
 * What part of its speed brings it nearer, from which on it surely comes. A share and not a speed: of what passes fast and near, a
 * metre beside changes the speed at which it comes nearer by much, and its heading by little.
 */
export const SURELY_COMES = 0.3;
/** What stands hardly comes, wherever noise carries it. */
export const HARDLY_MOVES_MPS = 2;
/** Below this it is told as neither coming nor going. */
const STANDS_MPS = 0.5;
/** Where it will pass matters for so many times longer than when it could be there. */
export const PASSING_LATE = 2;

/**
 * How soon it could be there at the rate at which it comes nearer now. Not the time to its closest approach: that grows
 * when what would pass turns towards a thing, and a turn towards it must never calm anybody. Never later than the time at
 * which it comes in as it flies, and the same where it flies straight at it.
 */
export function reachS({ distanceM, closingMps }: Pick<Standing, 'distanceM' | 'closingMps'>): number {
  if (distanceM <= 0) return 0;
  return closingMps > 0 ? distanceM / closingMps : Number.POSITIVE_INFINITY;
}

/** All three are full from the edge on, or over it: who is there need not come, and where he heads says little. */
export function tellApproach(
  { values, strengths }: Tally,
  standing: Standing,
  { near, there, height }: Shares,
  situation: Situation,
  { curves }: DecisionPolicy,
): void {
  const { closingMps, cpaDistanceM } = standing;
  const speedMps = situation.speedMps || Math.abs(closingMps);
  const comes = rise(closingMps / (speedMps + HARDLY_MOVES_MPS), 0, SURELY_COMES);
  const inS = reachS(standing);
  const missM = Math.max(0, cpaDistanceM - (situation.positionSigmaM || 0));
  const soon = comes * fallByRatio(inS, curves.eta_soon_s, curves.eta_late_s);
  const miss = missM / curves.near_miss_m;
  const hits = soon === 0 ? 0 : soon * Math.exp(-(miss * miss) / 2);
  values[APPROACH] = inS;
  strengths[APPROACH] = height * either(there, hits);
  const beside = fall(missM, 0, curves.passing_far_m);
  const inTime = fall(inS, curves.eta_soon_s, PASSING_LATE * curves.eta_late_s);
  values[CLOSEST_APPROACH] = cpaDistanceM;
  strengths[CLOSEST_APPROACH] = height * either(there, beside * inTime * comes);
  // What stands may come yet: it counts half. What goes away as fast as it could come counts nothing.
  const fast = rise(closingMps, -curves.closing_fast_mps, curves.closing_fast_mps) * near;
  values[CLOSING] = closingMps;
  strengths[CLOSING] = height * either(there, fast);
}

/** As much as one of both, and no corner where they meet. */
function either(a: number, b: number): number {
  return a + (1 - a) * b;
}

export const approachWords: Wordings = {
  approach: {
    unit: 's',
    say: ({ value, standing }) => {
      const { name, etaS, etaSigmaS, distanceM } = standing;
      if (distanceM <= 0 || !Number.isFinite(value)) return `It is at ${name} now.`;
      if (!Number.isFinite(etaS)) return `At the rate it comes nearer it could be at ${name} in ${seconds(value)}.`;
      const sigma = Number.isFinite(etaSigmaS) ? ` (± ${seconds(etaSigmaS)})` : '';
      return `As it flies it is in ${name} in ${seconds(etaS)}${sigma}.`;
    },
  },
  closest_approach: {
    unit: 'm',
    say: ({ value, standing: { name, cpaInS } }) =>
      value > 0
        ? `As it flies it passes ${name} at ${metres(value)}, in ${seconds(cpaInS)}.`
        : `As it flies it leads into ${name}.`,
  },
  closing: {
    unit: 'mps',
    say: ({ value, standing: { name, distanceM } }) => {
      if (distanceM <= 0) return `It is at ${name} and need not come.`;
      if (value > STANDS_MPS) return `It comes nearer to ${name} at ${value.toFixed(0)} m/s.`;
      return value < -STANDS_MPS
        ? `It goes away from ${name} at ${(-value).toFixed(0)} m/s.`
        : `It neither comes nearer to ${name} nor goes away.`;
    },
  },
};

import type { DecisionPolicy } from '../../../model/decision_config.ts';
import { fall, rise } from '../ramp.ts';
import type { Situation, Standing } from '../situation.ts';
import { FACTOR, type Tally } from '../tally.ts';
import { metres, seconds, type Wordings } from '../words.ts';
import type { Shares } from './nearness.ts';

export function addStay(
  tally: Tally,
  standing: Standing,
  { near, inside }: Shares,
  situation: Situation,
  policy: DecisionPolicy,
): void {
  const { weights, curves } = policy;
  const { importance, dwellS, operatorDistanceM } = standing;
  const dwelt = rise(dwellS, 0, curves.dwell_full_s) * inside;
  tally.add(FACTOR.dwell, dwellS, weights.dwell * importance, dwelt);
  const loiters = rise(situation.loiterS, curves.loiter_from_s, curves.loiter_full_s) * near;
  tally.add(FACTOR.loiter, situation.loiterS, weights.loiter * importance, loiters);
  const pilot = fall(operatorDistanceM, 0, curves.operator_near_m);
  tally.add(FACTOR.operator_near, operatorDistanceM, weights.operator_near * importance, pilot);
}

export const stayWords: Wordings = {
  dwell: { unit: 's', say: ({ value, standing }) => `It has stayed in ${standing.name} for ${seconds(value)}.` },
  loiter: {
    unit: 's',
    say: ({ value, standing }) => `It has stood or circled near ${standing.name} for ${seconds(value)}.`,
  },
  operator_near: {
    unit: 'm',
    say: ({ value, standing }) =>
      value > 0
        ? `Its pilot says to stand ${metres(value)} from ${standing.name}: somebody can go there.`
        : `Its pilot says to stand in ${standing.name}: somebody can go there.`,
  },
};

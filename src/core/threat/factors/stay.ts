import type { DecisionPolicy } from '../../../model/decision_config.ts';
import { fall, rise } from '../ramp.ts';
import type { Situation, Standing } from '../situation.ts';
import { FACTOR, type Tally } from '../tally.ts';
import { metres, seconds, type Wordings } from '../words.ts';
import type { Shares } from './nearness.ts';

const { dwell: DWELL, loiter: LOITER, operator_near: OPERATOR_NEAR } = FACTOR;

export function tellStay(
  { values, strengths }: Tally,
  { dwellS, operatorDistanceM }: Standing,
  { near, inside }: Shares,
  { loiterS }: Situation,
  { curves }: DecisionPolicy,
): void {
  values[DWELL] = dwellS;
  strengths[DWELL] = rise(dwellS, 0, curves.dwell_full_s) * inside;
  values[LOITER] = loiterS;
  strengths[LOITER] = rise(loiterS, curves.loiter_from_s, curves.loiter_full_s) * near;
  values[OPERATOR_NEAR] = operatorDistanceM;
  strengths[OPERATOR_NEAR] = fall(operatorDistanceM, 0, curves.operator_near_m);
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

import type { DecisionPolicy } from '../../../model/decision_config.ts';
import type { Situation } from '../situation.ts';
import { FACTOR, type Tally } from '../tally.ts';
import { percent, points, type Wordings } from '../words.ts';

const { existence: EXISTENCE, tentative: TENTATIVE } = FACTOR;

/** So far below medium what is not confirmed is held. */
const BELOW = 1;

/** Comes last: what is made of all reasons counts by the chance that anything is there at all. */
export function takeOffDoubt(tally: Tally, { existence, state }: Situation, { levels }: DecisionPolicy): void {
  const doubt = 1 - Math.min(1, Math.max(0, existence));
  if (doubt > 0 && tally.sum > 0) tally.takeOff(EXISTENCE, existence, -tally.sum, doubt);
  const most = levels.medium - BELOW;
  if (state === 'tentative' && tally.sum > most) tally.takeOff(TENTATIVE, 1, most - tally.sum, 1);
}

export const beliefWords: Wordings = {
  existence: {
    unit: 'probability',
    say: ({ value, contribution }) =>
      `It is there with a chance of ${percent(value)}: that takes ${points(contribution)} off.`,
  },
  tentative: {
    unit: null,
    say: () => 'It was seen too seldom to be sure of: it is held at low until it is confirmed.',
  },
};

import type { DecisionPolicy } from '../../../model/decision_config.ts';
import { rise } from '../ramp.ts';
import type { Situation } from '../situation.ts';
import { FACTOR, type Tally } from '../tally.ts';
import type { Wordings } from '../words.ts';

const { swarm: SWARM, repeat_visitor: REPEAT_VISITOR } = FACTOR;

/** Two that fly together are a pair; from three on it is a group. */
const PAIR = 2;

export function tellCompany({ values, strengths }: Tally, situation: Situation, { curves }: DecisionPolicy): void {
  const { groupSize, visits } = situation;
  values[SWARM] = groupSize;
  strengths[SWARM] = rise(groupSize, PAIR, curves.swarm_full);
  values[REPEAT_VISITOR] = visits;
  strengths[REPEAT_VISITOR] = rise(visits, 0, curves.visits_full);
}

export const companyWords: Wordings = {
  swarm: { unit: 'count', say: ({ value }) => `It is one of ${value} that fly together: watch the others as well.` },
  repeat_visitor: {
    unit: 'count',
    say: ({ value }) => `It was here on ${value} earlier ${value === 1 ? 'day' : 'days'}: see what it did then.`,
  },
};

import type { DecisionPolicy } from '../../../model/decision_config.ts';
import { rise } from '../ramp.ts';
import type { Situation } from '../situation.ts';
import { FACTOR, type Tally } from '../tally.ts';
import type { Wordings } from '../words.ts';

/** Two that fly together are a pair; from three on it is a group. */
const PAIR = 2;

export function addCompany(tally: Tally, { groupSize, visits }: Situation, { weights, curves }: DecisionPolicy): void {
  tally.add(FACTOR.swarm, groupSize, weights.swarm, rise(groupSize, PAIR, curves.swarm_full));
  tally.add(FACTOR.repeat_visitor, visits, weights.repeat_visitor, rise(visits, 0, curves.visits_full));
}

export const companyWords: Wordings = {
  swarm: { unit: 'count', say: ({ value }) => `It is one of ${value} that fly together: watch the others as well.` },
  repeat_visitor: {
    unit: 'count',
    say: ({ value }) => `It was here on ${value} earlier ${value === 1 ? 'day' : 'days'}: see what it did then.`,
  },
};

import type { DecisionPolicy } from '../../../model/decision_config.ts';
import type { Situation } from '../situation.ts';
import { FACTOR, type Tally } from '../tally.ts';
import { percent, type Wordings } from '../words.ts';

/** What it is, as far as that calms; nobody is calmed by the word of one who was found to lie. */
export function addKind(tally: Tally, situation: Situation, { weights }: DecisionPolicy): void {
  const { crewed, bird, emergency, verdict } = situation;
  const believed = verdict === 'suspect' ? 0 : 1;
  tally.add(FACTOR.crewed, crewed, weights.crewed, crewed * believed);
  tally.add(FACTOR.bird, bird, weights.bird, bird);
  tally.add(FACTOR.emergency, 1, weights.emergency, emergency ? believed : 0);
}

export const kindWords: Wordings = {
  crewed: {
    unit: 'probability',
    say: () => 'People are on board: give way, send nothing near it, and call its controller.',
  },
  bird: { unit: 'probability', say: ({ value }) => `With a chance of ${percent(value)} it is a bird.` },
  emergency: { unit: null, say: () => 'It tells of an emergency: it may come down where it is.' },
};

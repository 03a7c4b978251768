import type { Situation } from '../situation.ts';
import { FACTOR, type Tally } from '../tally.ts';
import { percent, type Wordings } from '../words.ts';

const { crewed: CREWED, bird: BIRD, emergency: EMERGENCY } = FACTOR;

/** What it is, as far as that calms; nobody is calmed by the word of one who was found to lie. */
export function tellKind({ values, strengths }: Tally, situation: Situation): void {
  const { crewed, bird, emergency, verdict } = situation;
  const believed = verdict === 'suspect' ? 0 : 1;
  values[CREWED] = crewed;
  strengths[CREWED] = crewed * believed;
  values[BIRD] = strengths[BIRD] = bird;
  values[EMERGENCY] = 1;
  strengths[EMERGENCY] = emergency ? believed : 0;
}

export const kindWords: Wordings = {
  crewed: {
    unit: 'probability',
    say: () => 'People are on board: give way, send nothing near it, and call its controller.',
  },
  bird: { unit: 'probability', say: ({ value }) => `With a chance of ${percent(value)} it is a bird.` },
  emergency: { unit: null, say: () => 'It tells of an emergency: it may come down where it is.' },
};

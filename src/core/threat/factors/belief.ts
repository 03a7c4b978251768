import { percent, points } from '../words.ts';
import type { SumFactor } from './factor.ts';

/** The greatest score of a tentative track is this number of points below the threshold of the level medium. */
const BELOW = 1;

const existence: SumFactor = {
  id: 'existence',
  unit: 'probability',
  value: ({ existence }) => existence,
  strength({ existence }) {
    const doubt = 1 - Math.min(1, Math.max(0, existence));
    return doubt > 0 ? doubt : 0;
  },
  weight: (sum) => (sum > 0 ? -sum : 0),
  text: ({ value, contribution }) =>
    `It may be a false track (probability of existence ${percent(value)}): the score is ${points(contribution)} lower.`,
};

const tentative: SumFactor = {
  id: 'tentative',
  unit: null,
  value: () => 1,
  strength: ({ state }) => (state === 'tentative' ? 1 : 0),
  weight(sum, _situation, { levels }) {
    const most = levels.medium - BELOW;
    return sum > most ? most - sum : 0;
  },
  text: () => 'It has too few detections to be confirmed. Until it is confirmed, its level is at most low.',
};

export const beliefFactors: readonly SumFactor[] = [existence, tentative];

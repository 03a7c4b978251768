import type { Situation } from '../situation.ts';
import { percent } from '../words.ts';
import type { TrackFactor } from './factor.ts';

/** Returns 0 for a suspect identity, so that a transmitter cannot lower its own score by false reports; else 1. */
function believed({ verdict }: Situation): number {
  return verdict === 'suspect' ? 0 : 1;
}

const crewed: TrackFactor = {
  id: 'crewed',
  unit: 'probability',
  value: ({ crewed }) => crewed,
  strength: (situation) => situation.crewed * believed(situation),
  text: () => 'People are on board: give way, send no vehicle near it, and call air traffic control.',
};

const bird: TrackFactor = {
  id: 'bird',
  unit: 'probability',
  value: ({ bird }) => bird,
  strength: ({ bird }) => bird,
  text: ({ value }) => `It is a bird with a probability of ${percent(value)}.`,
};

const emergency: TrackFactor = {
  id: 'emergency',
  unit: null,
  value: () => 1,
  strength: (situation) => (situation.emergency ? believed(situation) : 0),
  text: () => 'It reports an emergency: it may land where it is.',
};

export const kindFactors = [crewed, bird, emergency] as const;

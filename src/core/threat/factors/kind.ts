import type { Situation } from '../situation.ts';
import { percent } from '../words.ts';
import type { TrackFactor } from './factor.ts';

/** A transmitter with a suspect identity cannot lower its own score by what it reports. */
function believed({ verdict }: Situation): number {
  return verdict === 'suspect' ? 0 : 1;
}

const crewed: TrackFactor = {
  id: 'crewed',
  unit: 'probability',
  value: ({ crewed }) => crewed,
  strength: (situation) => situation.crewed * believed(situation),
  text: () => 'People are on board: give way, send nothing near it, and call its controller.',
};

const bird: TrackFactor = {
  id: 'bird',
  unit: 'probability',
  value: ({ bird }) => bird,
  strength: ({ bird }) => bird,
  text: ({ value }) => `With a chance of ${percent(value)} it is a bird.`,
};

const emergency: TrackFactor = {
  id: 'emergency',
  unit: null,
  value: () => 1,
  strength: (situation) => (situation.emergency ? believed(situation) : 0),
  text: () => 'It tells of an emergency: it may come down where it is.',
};

export const kindFactors = [crewed, bird, emergency] as const;

import { rise } from '../ramp.ts';
import type { TrackFactor } from './factor.ts';

/** Two aircraft that fly together are a pair, which scores nothing; a group has at least three. */
const PAIR = 2;

const swarm: TrackFactor = {
  id: 'swarm',
  unit: 'count',
  value: ({ groupSize }) => groupSize,
  strength: ({ groupSize }, { swarm_full: full }) => rise(groupSize, PAIR, full),
  text: ({ value }) => `It flies in a group of ${value}: watch the others as well.`,
};

const repeatVisitor: TrackFactor = {
  id: 'repeat_visitor',
  unit: 'count',
  value: ({ visits }) => visits,
  strength: ({ visits }, { visits_full: full }) => rise(visits, 0, full),
  text: ({ value }) => `It was seen here on ${value} earlier ${value === 1 ? 'day' : 'days'}: see what it did then.`,
};

export const companyFactors = [swarm, repeatVisitor] as const;

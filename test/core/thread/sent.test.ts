import t from 'tap';
import { SentObservations } from '../../../src/core/thread/sent.ts';
import { blankObservation } from '../../../src/edge/feed/blank.ts';
import type { Observation } from '../../../src/model/observation.ts';

const LATER = 131_072;

t.test(
  'an observation that never gets a track is given up after so many later ones that no memory grows',
  async (t) => {
    const given: [Observation, number][] = [];
    const sent = new SentObservations(
      () => 0,
      (observation, number) => given.push([observation, number]),
    );
    const forgotten = blankObservation('s', null, 0);
    sent.pack([forgotten]);
    for (let sequence = 2; sequence <= LATER + 1; sequence++) {
      sent.pack([blankObservation('s', null, sequence)]);
      sent.settle({ assigned: Float64Array.of(sequence, 7) } as never);
      if (sequence === LATER) t.notOk(given.some(([observation]) => observation === forgotten));
    }
    t.same(
      given.filter(([observation]) => observation === forgotten).map(([, number]) => number),
      [0],
    );
  },
);

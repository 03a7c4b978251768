import fc from 'fast-check';
import t from 'tap';
import type { PictureEvent } from '../../src/picture/picture.ts';
import { ReplayWindow } from '../../src/picture/replay_window.ts';
import { seedOf } from '../support/seed.ts';

function eventAt(seq: number): PictureEvent {
  const body = { id: `track ${seq % 3}`, quality: seq / 7, operator: null, flags: ['emergency' as const] };
  return { seq, at: '2025-06-01T12:00:00.000Z', kind: 'track_update', object: body.id, body };
}

const plain = ({ seq, at, kind, object, body }: PictureEvent) => ({ seq, at, kind, object, body });

t.test('whatever is added in whatever parts, the last events come back as they were, or not at all', async (t) => {
  const seed = seedOf(t);
  const parts = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 20 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 30 }), parts, fc.nat(200), (limit, sizes, after) => {
      const window = new ReplayWindow(limit);
      let last = 0;
      for (const size of sizes) window.add(Array.from({ length: size }, () => eventAt(++last)));
      const answer = window.since(after, last);
      if (after > last || last - after > limit) return answer === null;
      const expected = Array.from({ length: last - after }, (_, i) => eventAt(after + 1 + i));
      return JSON.stringify(answer?.map(plain)) === JSON.stringify(expected);
    }),
    { seed, numRuns: 300 },
  );
});

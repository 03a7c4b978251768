import fc from 'fast-check';
import t from 'tap';
import { SeqAges } from '../../src/picture/delta_stream.ts';
import { seedOf } from '../support/basics/seed.ts';
import { sized } from '../support/basics/size.ts';

t.test('a picture is as old as the first change after it, and what is not known is not made up', (t) => {
  const flushes = fc.array(fc.record({ by: fc.integer({ min: 1, max: 5 }), ms: fc.nat(500) }), { maxLength: 3_000 });
  fc.assert(
    fc.property(flushes, fc.nat(12_000), (all, seq) => {
      const ages = new SeqAges();
      let [last, nowMs] = [0, 0];
      let nextMs: number | null = null;
      for (const { by, ms } of all) {
        nowMs += ms;
        last += by;
        ages.add(last, nowMs);
        if (nextMs === null && last > seq) nextMs = nowMs;
      }
      const told = ages.ageMs(seq, last, nowMs);
      if (seq > last) return told === null;
      if (seq === last) return told === 0;
      // Long ago it may be forgotten, but never lately.
      return told === null ? all.length >= 1_200 && nowMs - (nextMs ?? 0) > 0 : told === nowMs - (nextMs ?? 0);
    }),
    { seed: seedOf(t), numRuns: sized(200) },
  );
  t.end();
});

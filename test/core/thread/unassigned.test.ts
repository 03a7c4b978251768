import fc from 'fast-check';
import t from 'tap';
import { Unassigned } from '../../../src/core/thread/unassigned.ts';
import { blankObservation } from '../../../src/edge/feed/blank.ts';
import { sized } from '../../support/basics/size.ts';

const seed = 20_261_130;

t.test('it answers as a map of numbers does, whatever is added and taken', async (t) => {
  t.comment(`seed ${seed}`);
  const step = fc.oneof(
    fc.record({ add: fc.integer({ min: 1, max: 90 }) }),
    fc.record({ take: fc.nat(400) }),
    fc.record({ oldest: fc.constant(true) }),
  );
  fc.assert(
    fc.property(fc.nat(2 ** 40), fc.array(step, { maxLength: 300 }), (first, script) => {
      const ring = new Unassigned();
      const map = new Map<number, unknown>();
      let sequence = first;
      for (const each of script) {
        if ('add' in each) {
          sequence += each.add;
          const observation = blankObservation('s', null, sequence);
          ring.add(sequence, observation);
          map.set(sequence, observation);
        } else {
          const number = 'take' in each ? sequence - each.take : Number([...map.keys()][0] ?? -1);
          const expected = map.get(number);
          map.delete(number);
          if (('take' in each ? ring.take(number) : ring.takeOldest()) !== expected) return false;
        }
        const [oldest = sequence + 1] = map.keys();
        if (ring.size !== map.size || ring.span !== sequence + 1 - oldest) return false;
      }
      return true;
    }),
    { seed, numRuns: sized(300) },
  );
  t.pass('holds');
});

import fc from 'fast-check';
import t from 'tap';
import { SenderMap } from '../../../src/edge/feed/sender_map.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { sized } from '../../support/basics/size.ts';

const LIMIT = 4;
const step = fc.record({ key: fc.constantFrom(...'abcdefgh'), how: fc.constantFrom('of', 'of', 'of', 'delete') });

t.test('whatever is heard and deleted, the longest unheard makes room and the rest is kept in order', async (t) => {
  const seed = seedOf(t);
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const map = new SenderMap<string>(LIMIT);
      let expected: string[] = [];
      let evicted = 0;
      for (const { key, how } of steps) {
        expected = expected.filter((known) => known !== key);
        if (how === 'delete') map.delete(key);
        else {
          if (map.of(key, () => key) !== key) return false;
          expected.push(key);
          if (expected.length > LIMIT) {
            expected.shift();
            evicted++;
          }
        }
        if (JSON.stringify(map.values()) !== JSON.stringify(expected)) return false;
        if (map.size !== expected.length || map.evicted !== evicted) return false;
        for (const one of 'abcdefgh') if (map.has(one) !== expected.includes(one)) return false;
      }
      return true;
    }),
    { seed, numRuns: sized(500) },
  );
});

t.test('a new sender evicts those that were silent for long, and no other', async (t) => {
  const map = new SenderMap<string>(100, 60_000);
  const receive = (key: string, atMs: number): string => map.of(key, () => key, atMs);
  receive('silent', 0);
  receive('again', 1_000);
  receive('late', 2_000);
  map.again('again', 50_000);
  receive('known', 59_000);
  t.same(map.values(), ['silent', 'late', 'again', 'known']);
  receive('known', 70_000);
  t.equal(map.size, 4, 'a known sender evicts none');
  receive('new', 70_000);
  t.same(map.values(), ['again', 'known', 'new']);
  t.equal(map.evicted, 0, 'none of them had to make room');
});

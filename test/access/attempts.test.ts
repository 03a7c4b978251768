import fc from 'fast-check';
import t from 'tap';
import { Attempts } from '../../src/access/attempts.ts';
import { Fault } from '../../src/model/fault.ts';
import { networkOf } from '../../src/model/network.ts';
import { seedOf } from '../support/basics/seed.ts';
import { sized } from '../support/basics/size.ts';

t.test('no address and no name from there is let through more often than allowed in any minute', async (t) => {
  const step = fc.record({
    waitMs: fc.integer({ min: 0, max: 30_000 }),
    address: fc.constantFrom('10.0.0.1', '10.0.0.2', '2001:db8::1', '2001:db8::2'),
    name: fc.constantFrom('anna', 'ben', '"', 'anna"'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 6 }), (steps, most) => {
      let nowMs = 0;
      const attempts = new Attempts(most, () => nowMs);
      const through = new Map<string, number[]>();
      for (const { waitMs, address, name } of steps) {
        nowMs += waitMs;
        try {
          attempts.take(address, name);
        } catch (thrown) {
          if (!(thrown instanceof Fault) || thrown.retryAfterS === null) return false;
          // Sooner than it was told it is in vain; then, with nobody else trying, it is let through.
          if (thrown.retryAfterS < 1 || thrown.retryAfterS > 60) return false;
          continue;
        }
        const key = networkOf(address);
        through.set(key, [...(through.get(key) ?? []), nowMs]);
      }
      return [...through.values()].every((times) =>
        times.every((atMs) => times.filter((otherMs) => otherMs >= atMs && otherMs - atMs < 60_000).length <= most),
      );
    }),
    { seed: seedOf(t), numRuns: sized(200) },
  );
});

t.test('after the seconds that were told, the next try is let through', async (t) => {
  let nowMs = 0;
  const attempts = new Attempts(5, () => nowMs);
  for (let i = 0; i < 5; i++) {
    attempts.take('10.0.0.1', 'anna');
    nowMs += 1_000;
  }
  const refused = (): number => {
    try {
      attempts.take('10.0.0.1', 'anna');
      return 0;
    } catch (thrown) {
      return (thrown as Fault).retryAfterS ?? -1;
    }
  };
  t.equal(refused(), 55);
  nowMs += 54_000;
  t.equal(refused(), 1);
  nowMs += 1_000;
  t.equal(refused(), 0);
});

t.test('what is forgiven does not count', async (t) => {
  const attempts = new Attempts(2, () => 0);
  for (let i = 0; i < 20; i++) attempts.take('10.0.0.1', 'anna').forgive();
  attempts.take('10.0.0.1', 'anna');
  attempts.take('10.0.0.1', 'anna');
  t.throws(() => attempts.take('10.0.0.1', 'anna'), { code: 'rate_limited' });
});

t.test('however many try, what is remembered is bounded', async (t) => {
  const attempts = new Attempts(5, () => 0);
  for (let i = 0; i < 20_000; i++) attempts.take(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, `name ${i}`);
  t.ok(attempts.remembered <= 4_096, String(attempts.remembered));
});

t.test('addresses of one IPv6 network are one', async (t) => {
  t.equal(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:2:ffff:ffff:ffff:ffff'));
  t.not(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:3::1'));
  t.equal(networkOf('::1'), '0:0:0:0');
  t.equal(networkOf('10.0.0.1'), '10.0.0.1');
});

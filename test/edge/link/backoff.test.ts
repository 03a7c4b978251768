import fc from 'fast-check';
import t from 'tap';
import { backoffJitter, backoffMaxMs, backoffMinMs, createBackoff } from '../../../src/edge/link/supervisor.ts';
import { sized } from '../../support/basics/size.ts';

const seed = Date.now() % 1_000_000_007;
t.comment(`seed ${seed}`);

const step = fc.oneof(
  fc.constant({ kind: 'next' as const }),
  fc.record({
    kind: fc.constant('closed' as const),
    openForMs: fc.double({ min: 0, max: 1e9, noNaN: true }),
    heard: fc.boolean(),
  }),
);

t.test('a wait is never below 0.4 s nor above 36 s, whatever happened before', async (t) => {
  const uniform = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), uniform, (steps, random) => {
      const backoff = createBackoff(() => random);
      for (const one of steps) {
        if (one.kind === 'closed') backoff.closed(one.openForMs, one.heard);
        const delayMs = backoff.next();
        if (delayMs < backoffMinMs * (1 - backoffJitter) || delayMs > backoffMaxMs * (1 + backoffJitter)) return false;
      }
      return true;
    }),
    { seed, numRuns: sized(500) },
  );
  t.pass('500 histories');
});

t.test('waits double from 0.5 s to 30 s and stay there', async (t) => {
  const backoff = createBackoff(() => 0.5);
  const waits = Array.from({ length: 9 }, () => backoff.next());
  t.same(waits, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
});

t.test('jitter spreads a wait by a fifth either way', async (t) => {
  t.equal(createBackoff(() => 0).next(), 400);
  t.equal(createBackoff(() => 1).next(), 600);
});

function after(failures: number) {
  const backoff = createBackoff(() => 0.5);
  for (let failure = 0; failure < failures; failure++) backoff.next();
  return backoff;
}

t.test('a longer opening never makes the next wait longer', async (t) => {
  fc.assert(
    fc.property(fc.nat({ max: 12 }), fc.nat({ max: 60_000 }), fc.nat({ max: 60_000 }), (failures, a, b) => {
      const [short, long] = [after(failures), after(failures)];
      short.closed(Math.min(a, b), false);
      long.closed(Math.max(a, b), false);
      return long.next() <= short.next();
    }),
    { seed, numRuns: sized(500) },
  );
  t.pass('500 pairs');
});

t.test('the wait shrinks by the time the port was open', async (t) => {
  const backoff = after(6);
  backoff.closed(12_000, false);
  t.equal(backoff.next(), 18_000);
});

t.test('opening alone does not reset the wait, a byte heard does', async (t) => {
  const opened = after(6);
  opened.closed(0, false);
  t.equal(opened.next(), 30_000);
  const heard = after(6);
  heard.closed(0, true);
  t.equal(heard.next(), 500);
});

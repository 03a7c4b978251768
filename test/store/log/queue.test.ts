import fc from 'fast-check';
import t from 'tap';
import { type Kind, kinds, type PackedRow } from '../../../src/store/log/packed.ts';
import { HistoryQueue } from '../../../src/store/log/queue.ts';
import { sized } from '../../support/basics/size.ts';

const seed = 20_260_304;

function queued(queue: HistoryQueue): string[] {
  return queue.take(1_000).map(([kind, at]) => `${kind} ${at}`);
}

t.test('a full queue gives up the oldest detection first and an event last', async (t) => {
  const queue = new HistoryQueue(4);
  const push = (kind: Kind, at: number): void => queue.push([kind, at]);
  push('event', 1);
  push('detection', 2);
  push('detection', 3);
  push('point', 4);
  push('track', 5);
  t.same(queue.dropped, { detection: 1, point: 0, track: 0, event: 0 });
  push('event', 6);
  push('event', 7);
  t.same(queue.dropped, { detection: 2, point: 1, track: 0, event: 0 });
  push('detection', 8);
  t.same(queue.dropped, { detection: 3, point: 1, track: 0, event: 0 }, 'one that comes later is worth no more');
  t.same(queued(queue), ['event 1', 'event 6', 'event 7', 'track 5']);
});

t.test('where only events wait the oldest goes, and is counted', async (t) => {
  const queue = new HistoryQueue(2);
  for (let at = 1; at <= 5; at++) queue.push(['event', at]);
  t.equal(queue.dropped.event, 3);
  t.same(queued(queue), ['event 4', 'event 5']);
});

t.test('every row is taken once in the order of its kind, or counted as dropped; the limit holds', async (t) => {
  t.comment(`seed ${seed}`);
  const steps = fc.array(fc.oneof(fc.constantFrom(...kinds), fc.integer({ min: 1, max: 12 })), { maxLength: 300 });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 20 }), (script, limit) => {
      const queue = new HistoryQueue(limit);
      const taken: PackedRow[] = [];
      let pushed = 0;
      for (const step of script) {
        if (typeof step === 'number') taken.push(...queue.take(step));
        else queue.push([step, ++pushed]);
        if (queue.length > limit) return false;
      }
      taken.push(...queue.take(1_000));
      const dropped = Object.values(queue.dropped).reduce((sum, rows) => sum + rows, 0);
      const inOrder = kinds.every((kind) => {
        const times = taken.filter((row) => row[0] === kind).map((row) => row[1]);
        return times.every((at, i) => i === 0 || at > (times[i - 1] ?? 0));
      });
      return taken.length + dropped === pushed && inOrder && queue.length === 0;
    }),
    { seed, numRuns: sized(500) },
  );
  t.pass('holds');
});

t.test('a long-lived queue keeps its order over many takes', async (t) => {
  const queue = new HistoryQueue(20_000);
  let next = 0;
  let pushed = 0;
  for (let round = 0; round < 40; round++) {
    for (let i = 0; i < 1_000; i++) queue.push(['point', pushed++]);
    for (const row of queue.take(700)) if (row[1] !== next++) t.fail(`${row[1]} out of order`);
  }
  t.equal(queue.length, 40 * 300);
  t.equal(next, 40 * 700);
});

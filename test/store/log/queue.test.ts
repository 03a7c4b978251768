import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import t from 'tap';
import { type Kind, kinds, type PackedRow } from '../../../src/store/log/packed.ts';
import { HistoryQueue } from '../../../src/store/log/queue.ts';
import type { TakenSpan } from '../../../src/store/log/row_blocks.ts';
import { sized } from '../../support/basics/size.ts';
import { rowsIn } from '../../support/store/packed_rows.ts';

const seed = 20_260_304;

function queued(queue: HistoryQueue): string[] {
  return rowsIn(queue.take(1_000)).map(([kind, at]) => `${kind} ${at}`);
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
        if (typeof step === 'number') taken.push(...rowsIn(queue.take(step)));
        else queue.push([step, ++pushed]);
        if (queue.length > limit) return false;
      }
      taken.push(...rowsIn(queue.take(1_000)));
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
    for (const row of rowsIn(queue.take(700))) if (row[1] !== next++) t.fail(`${row[1]} out of order`);
  }
  t.equal(queue.length, 40 * 300);
  t.equal(next, 40 * 700);
});

t.test('rows keep each of their values, whatever their length and letters', async (t) => {
  t.comment(`seed ${seed}`);
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.integer({ min: 0, max: 200_000 }).map((length) => 'ü'.repeat(length)),
  );
  const value = fc.oneof(text, fc.double({ noNaN: true }), fc.constant(null));
  const row = fc.tuple(fc.constantFrom(...kinds), fc.double({ noNaN: true }), fc.array(value, { maxLength: 14 }));
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), (rows) => {
      const queue = new HistoryQueue(100);
      const pushed = rows.map(([kind, atMs, values]): PackedRow => [kind, atMs, ...values]);
      for (const each of pushed) queue.push(each);
      const taken = rowsIn(queue.take(100));
      for (const kind of kinds) {
        const of = (list: PackedRow[]): PackedRow[] => list.filter((each) => each[0] === kind);
        if (!isDeepStrictEqual(of(taken), of(pushed))) return false;
      }
      return true;
    }),
    { seed, numRuns: sized(100) },
  );
  t.pass('holds');
});

t.test('no row overwrites one that is taken and not committed yet', async (t) => {
  t.comment(`seed ${seed}`);
  const step = fc.oneof(
    fc.record({ push: fc.constantFrom(...kinds), length: fc.integer({ min: 0, max: 30_000 }) }),
    fc.record({ take: fc.integer({ min: 1, max: 12 }) }),
    fc.record({ release: fc.constant(true) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (script) => {
      const queue = new HistoryQueue(30);
      const posted: { spans: TakenSpan[]; rows: PackedRow[] }[] = [];
      let pushed = 0;
      for (const each of script) {
        if ('push' in each) queue.push([each.push, ++pushed, `${pushed}`.repeat(each.length)]);
        else if ('take' in each) {
          const spans = queue.take(each.take);
          posted.push({ spans, rows: rowsIn(spans) });
        } else for (const span of posted.shift()?.spans ?? []) queue.release(span);
        if (!posted.every(({ spans, rows }) => isDeepStrictEqual(rowsIn(spans), rows))) return false;
      }
      return true;
    }),
    { seed, numRuns: sized(200) },
  );
  t.pass('holds');
});

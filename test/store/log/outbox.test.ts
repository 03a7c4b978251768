import t from 'tap';
import { Outbox } from '../../../src/store/log/outbox.ts';
import { rowsIn } from '../../support/store/packed_rows.ts';

function filled(rows: number): Outbox {
  const outbox = new Outbox({ waiting: 100, batch: 3, window: 6 });
  for (let at = 1; at <= rows; at++) outbox.push(['point', at]);
  return outbox;
}

function posted(outbox: Outbox, window?: number): number[][] {
  const batches: number[][] = [];
  for (let batch = outbox.next(window); batch !== null; batch = outbox.next(window)) {
    batches.push([batch.seq, ...rowsIn(batch.spans).map((row) => row[1])]);
  }
  return batches;
}

t.test('posting pauses at the window and goes on with the answers', async (t) => {
  const outbox = filled(10);
  t.same(posted(outbox), [
    [1, 1, 2, 3],
    [2, 4, 5, 6],
  ]);
  t.equal(outbox.length, 10);
  outbox.answered(1, {});
  t.same(posted(outbox), [[3, 7, 8, 9]]);
  outbox.answered(3, { point: 2 });
  t.equal(outbox.written, 7, 'two rows that no table took are not written');
  t.equal(outbox.dropped.point, 2);
  t.same(posted(outbox), [[4, 10]]);
  t.equal(outbox.length, 1);
});

t.test('a wider window lets everything out before a question', async (t) => {
  const outbox = filled(10);
  t.equal(posted(outbox, 100).length, 4);
});

t.test('after a death the unanswered batches are posted again as they were, before new ones', async (t) => {
  const outbox = filled(7);
  posted(outbox);
  outbox.answered(1, {});
  outbox.rewind();
  t.same(posted(outbox), [
    [2, 4, 5, 6],
    [3, 7],
  ]);
  outbox.rewind();
  outbox.answered(2, {});
  t.same(posted(outbox), [[3, 7]], 'an answer that was on its way still counts');
});

t.test('what is given up is counted', async (t) => {
  const outbox = filled(8);
  posted(outbox);
  t.equal(outbox.dropUnanswered(), 6);
  t.equal(outbox.length, 2);
  outbox.dropAll();
  t.equal(outbox.length, 0);
  t.equal(outbox.dropped.point, 8);
  t.equal(outbox.written, 0);
});

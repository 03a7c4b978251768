import { mock } from 'node:test';
import t, { type Test } from 'tap';
import type { ToThread } from '../../../src/store/log/messages.ts';
import { Sender } from '../../../src/store/log/sender.ts';
import { noonMs, packed } from '../../support/store/history_engine.ts';
import { eventAt } from '../../support/store/history_rows.ts';

/** A sender on a clock of the test; `posted` says what came to the thread, a batch by its number of rows. */
function sending(t: Test) {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const posted: (number | string)[] = [];
  const rowsOf = (message: ToThread): number | string =>
    message.type === 'batch' ? message.spans.reduce((sum, { rows }) => sum + rows, 0) : message.type;
  const sender = new Sender(10_000, (message) => posted.push(rowsOf(message)));
  const push = (rows: number): void => {
    for (let i = 0; i < rows; i++) sender.push(packed('event', eventAt(noonMs, i + 1)));
  };
  return { sender, push, posted };
}

t.test('a row is due 0.9 s after it came, whether it was posted before or not', async (t) => {
  const { sender, push, posted } = sending(t);
  sender.threadUp();
  posted.length = 0;
  push(1);
  mock.timers.tick(850);
  t.same(posted, []);
  push(499);
  t.same(posted, [500], 'a full batch is posted at once');
  mock.timers.tick(50);
  t.same(posted, [500, 'due'], 'its first row is due with it');
  push(3);
  mock.timers.tick(900);
  t.same(posted, [500, 'due', 3, 'due']);
  mock.timers.tick(10_000);
  t.equal(posted.length, 4, 'a quiet box posts nothing');
});

t.test('rows that waited for the thread are due at its start', async (t) => {
  const { sender, push, posted } = sending(t);
  push(2);
  mock.timers.tick(900);
  t.same(posted, []);
  sender.threadUp();
  t.same(posted, [2, 'due']);
});

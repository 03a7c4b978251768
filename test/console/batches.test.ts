import { mock } from 'node:test';
import t, { type Test } from 'tap';
import { BATCH_MS, Batches } from '../../src/console/stream/batches.ts';
import type { Received } from '../../src/console/stream/messages.ts';

const moved = (seq: number, lat: number): Received => ({
  kind: 'track_update',
  seq,
  at: '2026-01-01T00:00:00.000Z',
  body: { id: 'one', lat },
});
const alert = (id: string): Received => ({ kind: 'alert', seq: 1, at: '2026-01-01T00:00:00.000Z', body: { id } });

function collect(t: Test): { posted: Received[][]; batches: Batches } {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const posted: Received[][] = [];
  return { posted, batches: new Batches((events) => posted.push(events)) };
}

t.test('a page that takes nothing gets one batch, and then the newest of all that came', async (t) => {
  const { posted, batches } = collect(t);
  for (let seq = 1; seq <= 1_000; seq++) {
    batches.add(moved(seq, seq));
    batches.offer();
    mock.timers.tick(BATCH_MS);
  }
  t.equal(posted.length, 1, 'no queue grows');
  batches.taken(0);
  t.equal(posted.length, 1, 'the minimum interval holds');
  mock.timers.tick(BATCH_MS);
  t.equal(posted.length, 2);
  t.match(posted[1], [{ seq: 1_000, body: { lat: 1_000 } }]);
  t.equal(posted[1]?.length, 1, 'updates of one track are one event');
});

t.test('a page rests as long as a batch took it', async (t) => {
  const { posted, batches } = collect(t);
  batches.add(moved(1, 1));
  batches.offer();
  mock.timers.tick(BATCH_MS);
  batches.taken(5 * BATCH_MS);
  batches.add(moved(2, 2));
  batches.offer();
  mock.timers.tick(5 * BATCH_MS - 1);
  t.equal(posted.length, 1);
  mock.timers.tick(1);
  t.equal(posted.length, 2);
});

t.test('alerts wait for no page, and those of one read come together', async (t) => {
  const { posted, batches } = collect(t);
  batches.add(moved(1, 1));
  batches.offer();
  mock.timers.tick(BATCH_MS);
  for (let number = 0; number < 500; number++) batches.add(alert(String(number)));
  batches.offer();
  t.equal(posted.length, 2);
  t.equal(posted[1]?.length, 500);
  batches.taken(0);
  batches.add(moved(2, 2));
  batches.offer();
  mock.timers.tick(BATCH_MS);
  t.equal(posted.length, 2, 'one batch is still untaken');
  batches.taken(0);
  mock.timers.tick(BATCH_MS);
  t.equal(posted.length, 3);
});

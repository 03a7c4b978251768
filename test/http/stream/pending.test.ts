import t from 'tap';
import { Merged } from '../../../src/http/stream/feed.ts';
import { Pending } from '../../../src/http/stream/pending.ts';
import type { EventKind, StreamEvent } from '../../../src/model/event.ts';

let seq = 0;
t.beforeEach(() => {
  seq = 0;
});

function pendingOf(...events: [EventKind, object][]): Pending {
  const pending = new Pending();
  for (const [kind, body] of events) pending.add({ seq: ++seq, at: `t${seq}`, kind, body });
  return pending;
}

function takenFrom(...events: [EventKind, object][]): unknown[] {
  return pendingOf(...events)
    .take()
    .events.map(({ seq, at, kind, body }: StreamEvent) => [seq, at, kind, body]);
}

t.test('changes of one object merge field by field and carry the last number and time', async (t) => {
  const taken = takenFrom(
    ['track_update', { id: 'a', x: 1, y: 1 }],
    ['track_update', { id: 'b', x: 9 }],
    ['track_update', { id: 'a', y: 2, z: 3 }],
  );
  t.same(taken, [
    [2, 't2', 'track_update', { id: 'b', x: 9 }],
    [3, 't3', 'track_update', { id: 'a', x: 1, y: 2, z: 3 }],
  ]);
});

t.test('an event that was handed over is not changed, for other clients hold it too', async (t) => {
  const first = { seq: 1, at: 't1', kind: 'track_update' as const, body: { id: 'a', x: 1 } };
  const pending = new Pending();
  pending.add(first);
  pending.add({ ...first, seq: 2, body: { id: 'a', x: 2 } });
  pending.take();
  t.same(first, { seq: 1, at: 't1', kind: 'track_update', body: { id: 'a', x: 1 } });
});

t.test('a new object takes its changes and its state into itself', async (t) => {
  const taken = takenFrom(
    ['track_new', { id: 'a', state: 'tentative', x: 1 }],
    ['track_update', { id: 'a', x: 2 }],
    ['track_state', { id: 'a', state: 'confirmed', was: 'tentative' }],
  );
  t.same(taken, [[3, 't3', 'track_new', { id: 'a', state: 'confirmed', x: 2 }]]);
});

t.test('two changes of state are one from the first to the last, and none when they lead back', async (t) => {
  const there: [EventKind, object] = ['track_state', { id: 'a', state: 'coasting', was: 'confirmed' }];
  t.same(takenFrom(there, ['track_state', { id: 'a', state: 'lost', was: 'coasting' }]), [
    [2, 't2', 'track_state', { id: 'a', state: 'lost', was: 'confirmed' }],
  ]);
  seq = 0;
  t.same(takenFrom(there, ['track_state', { id: 'a', state: 'confirmed', was: 'coasting' }]), []);
});

t.test('a removal cancels what waits of its object and nothing else', async (t) => {
  const taken = takenFrom(
    ['track_update', { id: 'a', x: 1 }],
    ['track_state', { id: 'a', state: 'lost', was: 'coasting' }],
    ['sensor_update', { id: 'a', name: 'a sensor with the same id' }],
    ['track_removed', { id: 'a', reason: 'closed' }],
  );
  t.same(taken, [
    [3, 't3', 'sensor_update', { id: 'a', name: 'a sensor with the same id' }],
    [4, 't4', 'track_removed', { id: 'a', reason: 'closed' }],
  ]);
});

t.test('an object that came and went unseen leaves nothing, so that churn does not add up', async (t) => {
  const pending = new Pending();
  for (let i = 1; i <= 5_000; i++) {
    pending.add({ seq: 2 * i, at: '', kind: 'track_new', body: { id: `a${i}` } });
    pending.add({ seq: 2 * i + 1, at: '', kind: 'track_removed', body: { id: `a${i}`, reason: 'dropped' } });
  }
  t.equal(pending.objectCount, 0);
  t.same(pending.take(), { events: [], firstSeq: 2, lastSeq: 10_001 });
});

t.test('an object that ended and began again is ended first', async (t) => {
  const taken = takenFrom(
    ['link_update', { id: 'a', n: 1 }],
    ['link_removed', { id: 'a' }],
    ['link_update', { id: 'a', n: 2 }],
    ['link_update', { id: 'a', n: 3 }],
  );
  t.same(taken, [
    [2, 't2', 'link_removed', { id: 'a' }],
    [4, 't4', 'link_update', { id: 'a', n: 3 }],
  ]);
});

t.test('log rows wait as they are', async (t) => {
  const taken = takenFrom(
    ['log', { id: 'x', text: 'one' }],
    ['track_update', { id: 'a' }],
    ['log', { id: 'x', text: 'two' }],
  );
  t.same(
    taken.map((event) => (event as unknown[])[2]),
    ['log', 'track_update', 'log'],
  );
});

t.test('only the last row of a whole-row kind counts, without fields of an earlier one', async (t) => {
  t.same(takenFrom(['sensor_update', { id: 'a', x: 1, gone: true }], ['sensor_update', { id: 'a', x: 2 }]), [
    [2, 't2', 'sensor_update', { id: 'a', x: 2 }],
  ]);
});

t.test('a place inside a merged batch is none to continue from; its end is', async (t) => {
  const merged = new Merged(2);
  merged.add('e1', 10, 20);
  t.same(
    [9, 10, 19, 20].map((place) => merged.has('e1', place)),
    [false, true, true, false],
  );
  t.equal(merged.has('e2', 15), false);
  merged.add('e1', 30, 30);
  t.equal(merged.has('e1', 30), false, 'a batch of one number was not merged');
  merged.add('e1', 40, 50);
  merged.add('e1', 60, 70);
  t.ok(
    [15, 30, 45, 65].every((place) => merged.has('e1', place)),
    'the oldest two became one',
  );
  merged.add('e2', 1, 5);
  t.equal(merged.has('e1', 15), false, 'another epoch begins anew');
});

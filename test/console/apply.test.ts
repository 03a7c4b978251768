import t from 'tap';
import { apply } from '../../src/console/state/apply.ts';
import { followExpired } from '../../src/console/state/expired_proposals.ts';
import { Store } from '../../src/console/state/store.ts';
import { coalesce } from '../../src/console/stream/coalesce.ts';
import type { Received } from '../../src/console/stream/messages.ts';
import { samplePicture } from '../../src/http/openapi/samples.ts';
import type { Track } from '../../src/model/track.ts';

const at = '2026-06-01T10:00:00.000Z';
const event = (seq: number, kind: Received['kind'], body: object): Received => ({ kind, seq, at, body });
const [track] = samplePicture.tracks as [Track];

function storeWithPicture(): Store {
  const store = new Store();
  apply(store, [event(samplePicture.seq, 'snapshot', samplePicture)]);
  return store;
}

t.test('a snapshot replaces everything that was there', async (t) => {
  const store = storeWithPicture();
  apply(store, [event(8, 'track_new', { ...track, id: 'other' })]);
  apply(store, [event(samplePicture.seq, 'snapshot', samplePicture)]);
  t.same(store.tracks.list(), samplePicture.tracks);
  t.equal(store.situation.value?.seq, samplePicture.seq);
});

t.test('an update changes the fields that it carries and no other', async (t) => {
  const store = storeWithPicture();
  apply(store, [event(9, 'track_update', { id: track.id, quality: 3 })]);
  t.same(store.tracks.get(track.id), { ...track, quality: 3 });
  apply(store, [event(10, 'track_update', { id: 'unknown', quality: 3 })]);
  t.equal(store.tracks.get('unknown'), undefined, 'an update creates no track');
});

t.test('a removed track takes its threat along', async (t) => {
  const store = storeWithPicture();
  apply(store, [event(9, 'threat_update', { track_id: track.id, level: 'high' })]);
  apply(store, [event(10, 'track_removed', { id: track.id, reason: 'closed' })]);
  t.equal(store.tracks.get(track.id), undefined);
  t.equal(store.threats.get(track.id), undefined);
});

t.test('one batch is one commit', async (t) => {
  const store = storeWithPicture();
  const before = store.tracks.revision.value;
  apply(
    store,
    [1, 2, 3].map((quality) => event(8 + quality, 'track_update', { id: track.id, quality })),
  );
  t.equal(store.tracks.revision.value, before + 1);
});

t.test('an unknown kind of event changes the number alone', async (t) => {
  const store = storeWithPicture();
  apply(store, [event(99, 'of_a_later_version' as Received['kind'], { id: 'x' })]);
  t.equal(store.situation.value?.seq, 99);
  t.same(store.tracks.list(), samplePicture.tracks);
});

t.test('merging a batch leaves the same picture as applying each event', async (t) => {
  const events = [
    event(1, 'track_update', { id: track.id, quality: 1 }),
    event(2, 'track_state', { id: track.id, state: 'lost', was: 'confirmed' }),
    event(3, 'track_update', { id: track.id, quality: 2, status: null }),
    event(4, 'track_update', { id: track.id, state: 'confirmed' }),
    event(5, 'track_removed', { id: track.id, reason: 'closed' }),
    event(6, 'track_new', { ...track, quality: 9 }),
    event(7, 'track_update', { id: track.id, quality: 4 }),
  ];
  const [whole, merged] = [storeWithPicture(), storeWithPicture()];
  apply(whole, events);
  apply(merged, coalesce(events));
  t.same(merged.tracks.list(), whole.tracks.list());
  t.equal(coalesce(events).length, 6);
});

t.test('everything stays stopped until somebody sets a vehicle in motion', async (t) => {
  const stop = { id: 'stop', kind: 'engagement.stop_all', provenance: 'live', at: '2026-11-22T21:00:00.000Z' };
  const command = (command_id: string, verb: string, state: string) =>
    event(11, 'command_update', { command_id, verb, state });
  const stopped = (): Store => {
    const store = storeWithPicture();
    apply(store, [command('before', 'goto', 'executing'), event(10, 'log', stop)]);
    return store;
  };
  const flown = (verb: string) => {
    return { id: 'e', state: 'executing', chosen_plan_id: 'p', candidates: [{ id: 'p', legs: [{ verb }] }] };
  };
  t.equal(stopped().stoppedAt.value, at, 'the time of the shown world, also for a row of the live one');
  const quiet: [string, Received][] = [
    ['a vehicle that holds', command('next', 'hold', 'sent')],
    ['an order that ends', command('before', 'goto', 'cancelled')],
    ['a refused order', command('next', 'goto', 'rejected')],
    ['a new proposal', event(11, 'engagement_update', { ...flown('orbit'), state: 'proposed' })],
    ['a camera that looks', event(11, 'engagement_update', flown('look_at'))],
  ];
  for (const [what, one] of quiet) {
    const store = stopped();
    apply(store, [one]);
    t.equal(store.stoppedAt.value, at, what);
  }
  const moved: [string, Received][] = [
    ['an order to move', command('next', 'goto', 'sent')],
    ['an approval', event(11, 'engagement_update', flown('orbit'))],
    ['another world', event(11, 'snapshot', { ...samplePicture, epoch: 'another' })],
  ];
  for (const [what, one] of moved) {
    const store = stopped();
    apply(store, [one]);
    t.equal(store.stoppedAt.value, null, what);
  }
});

t.test('a proposal that expires is kept to be announced; one that ends otherwise is not', async (t) => {
  const ends: [string, string | null][] = [
    ['expired', 'e'],
    ['rejected', null],
    ['superseded', null],
  ];
  for (const [state, expected] of ends) {
    const store = storeWithPicture();
    apply(store, [event(10, 'engagement_update', { id: 'e', track_id: track.id, state: 'proposed' })]);
    apply(store, [event(11, 'engagement_update', { id: 'e', track_id: track.id, state })]);
    t.equal(store.expired.value?.id ?? null, expected, state);
  }
});

t.test('an expired proposal is announced once, however its track moves on', async (t) => {
  const store = storeWithPicture();
  const said: (string | null)[] = [];
  followExpired(store, (number) => said.push(number));
  apply(store, [event(10, 'engagement_update', { id: 'e', track_id: track.id, state: 'expired' })]);
  apply(store, [event(11, 'track_update', { id: track.id, quality: 1 })]);
  apply(store, [event(12, 'track_update', { id: track.id, quality: 2 })]);
  apply(store, [event(13, 'engagement_update', { id: 'f', track_id: 'gone', state: 'expired' })]);
  t.same(said, [track.number, null]);
});

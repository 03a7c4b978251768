import t from 'tap';
import type { Cause } from '../../src/alerts/deps.ts';
import { firingOf } from '../support/registry/firings.ts';
import { everything, openBook, openFolder } from './rig.ts';

const here = '5e0f6a52-0d3c-8a11-9c55-00000000000a';
const there = '5e0f6a52-0d3c-8a11-9c55-00000000000c';
const gone = '5e0f6a52-0d3c-8a11-9c55-00000000000b';

t.test(
  'after a start an alert whose tracks are gone is over, and one that is seen and not told of again',
  async (t) => {
    const state = openFolder(t);
    const before = openBook(t, state);
    before.book.take(
      [
        firingOf({ key: 'goes on', trackIds: [here] }),
        firingOf({ key: 'is not seen', trackIds: [there] }),
        firingOf({ key: 'gone', trackIds: [gone] }),
      ],
      0,
    );
    const after = openBook(t, state, ({ track_ids: [id] }) => (id === gone ? 'gone' : 'seen'));
    after.book.restore(1_000_000);
    t.match(after.told, [{ kind: 'alert_update', alert: { track_ids: [gone], state: 'cleared' } }]);
    t.equal(after.told[0]?.alert.cleared_reason, 'lost');
    t.equal(after.book.shown().length, 3);
    after.news();
    after.book.take([firingOf({ key: 'goes on', trackIds: [here] })], 1_005_000);
    t.same(after.news(), [], 'nobody is called twice to the same');
    after.book.tick(1_059_000);
    t.same(after.news(), []);
    after.book.tick(1_060_000);
    t.match(after.told.splice(0), [{ kind: 'alert_update', alert: { state: 'cleared', cleared_reason: 'left' } }]);
    t.same(
      after.store.page({ ...everything, state: 'active' }).rows.map(({ track_ids }) => track_ids),
      [[here]],
    );
  },
);

t.test('after a start an alert stays for as long as nothing shows how its cause is', async (t) => {
  const state = openFolder(t);
  const before = openBook(t, state);
  const subject = { type: 'sensor', id: 's', label: 'mast' } as const;
  before.book.take(
    [firingOf({ key: 'sensor', trackIds: [], subject }), firingOf({ key: 'track', trackIds: [here] })],
    0,
  );
  const causes: Record<string, Cause> = { sensor: 'unseen', track: 'unseen' };
  const after = openBook(t, state, (alert) => causes[alert.subject.type] ?? 'seen');
  after.book.restore(1_000_000);
  for (let ms = 1_000_000; ms <= 1_600_000; ms += 1_000) after.book.tick(ms);
  t.same(after.news(), [], 'ten minutes later both are still active');
  after.book.take([firingOf({ key: 'sensor', trackIds: [], subject })], 1_601_000);
  t.same(after.news(), [], 'it is not raised twice');
  causes.track = 'over';
  after.book.tick(1_602_000);
  t.same(after.news(), ['alert_update cleared']);
  t.match(after.book.shown(), [{ state: 'active' }, { state: 'cleared', cleared_reason: 'recovered' }]);
});

t.test('what got worse meanwhile calls somebody', async (t) => {
  const state = openFolder(t);
  openBook(t, state).book.take([firingOf({ trackIds: [here] })], 0);
  const after = openBook(t, state);
  after.book.restore(0);
  after.book.take([firingOf({ trackIds: [here], severity: 'critical' })], 1_000);
  t.same(after.news(), ['alert_update active', 'live_alert active']);
});

t.test('a core that is started again says anew what goes on', async (t) => {
  const rig = openBook(t);
  rig.book.take([firingOf({ key: 'a' }), firingOf({ key: 'b' })], 0);
  rig.book.unsure(5_000);
  rig.book.take([firingOf({ key: 'a', change: 'raised' })], 6_000);
  rig.news();
  rig.book.tick(70_000);
  t.same(rig.news(), ['alert_update cleared']);
});

t.test('what nobody saw before a start is still there after it', async (t) => {
  const state = openFolder(t);
  const before = openBook(t, state);
  before.book.take([firingOf()], 0);
  before.book.take([firingOf({ change: 'ended' })], 1_000);
  const after = openBook(t, state);
  after.book.restore(0);
  t.match(after.book.shown(), [{ state: 'cleared', settled_at: null }]);
  t.same(after.news(), []);
});

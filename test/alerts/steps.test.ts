import t from 'tap';
import { alertSchema, MOST_STEPS } from '../../src/model/alert.ts';
import type { Firing } from '../../src/model/firing.ts';
import { firingOf } from '../support/registry/firings.ts';
import { everything, openBook, openFolder } from './rig.ts';

const track = '5e0f6a52-0d3c-8a11-9c55-00000000000a';
const other = '5e0f6a52-0d3c-8a11-9c55-00000000000b';
const group = { type: 'group', id: '5e0f6a52-0d3c-8a11-9c55-0000000000aa', label: 'group of 2' } as const;

/** A rule tells of one track; the event of each rule has its own key. */
const of = (ruleId: string, more: Partial<Firing> = {}): Firing =>
  firingOf({ key: `${ruleId}:-:${track}`, ruleId, trackIds: [track], text: ruleId, ...more });

t.test('all that rules tell of one track is one alert with a step each, in the words of the worst', async (t) => {
  const { book, news, store } = openBook(t);
  book.take([of('zone_approach')], 0);
  book.take([of('zone_entry'), of('unidentified', { severity: 'critical' })], 1_000);
  t.same(news(), [
    'alert active',
    'live_alert active',
    'alert_update active',
    'alert_update active',
    'live_alert active',
  ]);
  const [alert, ...more] = book.shown();
  t.same(more, []);
  t.match(alert, { rule_id: 'unidentified', severity: 'critical', text: 'unidentified', count: 1, track_ids: [track] });
  t.same(
    alert?.steps.map(({ at, rule_id, severity }) => `${at.slice(17, 19)} ${rule_id} ${severity}`),
    ['00 zone_approach warning', '01 zone_entry warning', '01 unidentified critical'],
  );
  t.ok(alertSchema.safeParse(alert).success);
  book.take([of('unidentified', { change: 'ended', because: 'recovered' })], 2_000);
  t.match(book.shown(), [{ rule_id: 'zone_entry', severity: 'warning', state: 'active' }], 'what still holds');
  book.take([of('zone_approach', { change: 'ended' }), of('zone_entry', { change: 'ended', because: 'left' })], 3_000);
  t.match(store.page(everything).rows, [
    { state: 'cleared', cleared_reason: 'left', rule_id: 'unidentified', severity: 'critical' },
  ]);
});

t.test('a step as severe as what was seen makes no sound, a worse one does', async (t) => {
  const { book, news, store, told, sent, logged } = openBook(t);
  book.take([of('zone_entry')], 0);
  const [was] = book.shown();
  if (!was) throw new Error('nothing was raised');
  const seen = {
    ...was,
    state: 'acknowledged' as const,
    acknowledged: { by: 'user:anna', at: was.raised_at, note: null },
  };
  store.save([book.keptAs(seen)], []);
  book.saved(seen);
  news();
  book.take([of('zone_dwell')], 20_000);
  t.same(news(), ['alert_update acknowledged']);
  t.equal(sent.length, 1, 'a webhook hears of it no second time');
  t.same(
    logged.map(({ kind }) => kind),
    ['alert.raised', 'alert.step'],
  );
  book.take([of('unidentified', { severity: 'critical' })], 21_000);
  t.match(told.splice(0), [
    { kind: 'alert_update', alert: { state: 'active', acknowledged: null } },
    { kind: 'live_alert' },
  ]);
});

t.test('a rule that notifies is told to others though the alert was raised by one that does not', async (t) => {
  const { book, sent } = openBook(t);
  const silent = { alert: true, log: true, notify: false, propose: false };
  book.take([of('quiet', { does: silent })], 0);
  t.same(sent, []);
  book.take([of('zone_entry')], 1_000);
  t.match(sent, [{ kind: 'alert', body: { steps: [{ rule_id: 'quiet' }, { rule_id: 'zone_entry' }] } }]);
});

t.test('an event that grows to a group takes its alert along, where nothing else is told of the track', async (t) => {
  const { book, news } = openBook(t);
  book.take([of('zone_entry')], 0);
  news();
  book.take([of('zone_entry', { change: 'worse', subject: group, trackIds: [track, other], count: 2 })], 20_000);
  t.match(book.shown(), [{ subject: group, count: 2, track_ids: [track, other] }]);
  t.same(news(), ['alert_update active', 'live_alert active']);
  const apart = openBook(t);
  apart.book.take([of('zone_entry'), of('loitering', { severity: 'notice' })], 0);
  apart.book.take([of('zone_entry', { change: 'worse', subject: group, trackIds: [track, other], count: 2 })], 1_000);
  t.match(apart.book.shown(), [
    { rule_id: 'loitering', severity: 'notice' },
    { subject: group, rule_id: 'zone_entry' },
  ]);
});

t.test('a track that is found to be another brings its alert into the one of that track', async (t) => {
  const { book, told, store } = openBook(t);
  const kept = { type: 'track', id: other, label: 'T-0002' } as const;
  book.take([of('zone_entry'), of('loitering', { key: 'l', trackIds: [other], subject: kept })], 0);
  told.splice(0);
  book.take([of('zone_entry', { change: 'changed', subject: kept, trackIds: [other] })], 1_000);
  t.match(
    store.page(everything).rows.map(({ subject, state, cleared_reason }) => [subject.id, state, cleared_reason]),
    [
      [other, 'active', null],
      [track, 'cleared', 'merged'],
    ],
  );
  t.match(book.shown().find(({ state }) => state === 'active')?.steps, [
    { rule_id: 'loitering' },
    { rule_id: 'zone_entry' },
  ]);
});

t.test('after a start the events of an alert are known one by one', async (t) => {
  const state = openFolder(t);
  openBook(t, state).book.take(
    [of('zone_entry', { severity: 'critical' }), of('loitering', { severity: 'notice' })],
    0,
  );
  const after = openBook(t, state);
  after.book.restore(1_000_000);
  after.book.take([of('loitering', { severity: 'notice' })], 1_005_000);
  t.same(after.news(), []);
  after.book.tick(1_060_000);
  t.match(
    after.book.shown(),
    [{ rule_id: 'loitering', severity: 'notice', state: 'active' }],
    'one is told again, one is not',
  );
  after.book.take([of('loitering', { change: 'ended', because: 'lost' })], 1_061_000);
  t.match(after.book.shown(), [
    { rule_id: 'zone_entry', severity: 'critical', state: 'cleared', cleared_reason: 'lost' },
  ]);
});

t.test('the steps are bounded: the first and the latest are kept', async (t) => {
  const { book } = openBook(t);
  for (let i = 0; i < 80; i++) book.take([of(`rule ${i}`)], i);
  const steps = book.shown()[0]?.steps ?? [];
  t.equal(steps.length, MOST_STEPS);
  t.same([steps[0]?.rule_id, steps.at(-1)?.rule_id], ['rule 0', 'rule 79']);
});

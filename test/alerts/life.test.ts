import t from 'tap';
import { RuleEngine } from '../../src/core/rules/engine.ts';
import { alertSchema } from '../../src/model/alert.ts';
import type { Firing } from '../../src/model/firing.ts';
import { builtinValue, trackFact, zoneFact } from '../support/core/rule_facts.ts';
import { firingOf } from '../support/registry/firings.ts';
import { type BookRig, everything, openBook, openFolder } from './rig.ts';

const at = '2025-06-01T00:00:00.000Z';

function acknowledge({ book, store }: BookRig, id: string): void {
  const was = book.get(id);
  if (!was) throw new Error(`${id} is not at hand`);
  const over = was.state === 'cleared';
  const seen = {
    ...was,
    state: over ? ('cleared' as const) : ('acknowledged' as const),
    acknowledged: { by: 'user:anna', at, note: null },
    settled_at: over ? at : null,
  };
  store.save([book.keptAs(seen)], []);
  book.saved(seen);
}

const raised = ['alert active', 'live_alert active'];
const worse = ['alert_update active', 'live_alert active'];
const quiet = ['alert_update active'];

t.test('an event is one alert from its beginning to its end', async (t) => {
  const rig = openBook(t);
  rig.book.take([firingOf()], 0);
  t.same(rig.news(), raised);
  rig.book.take([firingOf({ change: 'changed', text: 'T-0001 is 20 m farther in' })], 1_000);
  t.same(rig.news(), quiet);
  rig.book.take([firingOf({ change: 'changed', text: 'T-0001 is 20 m farther in' })], 2_000);
  t.same(rig.news(), [], 'the same words are no news');
  rig.book.take([firingOf({ change: 'ended' })], 3_000);
  t.same(rig.news(), ['alert_update cleared']);
  t.equal(rig.book.shown().length, 1, 'nobody has seen it: it stays');
  t.same(
    rig.logged.map(({ kind }) => kind),
    ['alert.raised', 'alert.cleared'],
  );
  const [row] = rig.store.page(everything).rows;
  t.equal(row?.state, 'cleared');
  t.ok(alertSchema.safeParse(row).success);
  acknowledge(rig, row?.id ?? '');
  t.same(rig.news(), ['alert_update cleared']);
  t.same(rig.book.shown(), []);
});

/** What comes after an alert of a warning about two aircraft, and what is told of it. */
const table: [what: string, seen: boolean, next: Partial<Firing>[], news: string[]][] = [
  ['more severe', false, [{ change: 'worse', severity: 'critical' }], worse],
  ['more severe after somebody has seen it', true, [{ change: 'worse', severity: 'critical' }], worse],
  ['more aircraft after somebody has seen it', true, [{ change: 'worse', count: 3 }], worse],
  ['more aircraft a moment later', false, [{ change: 'worse', count: 3 }], quiet],
  ['as it was', true, [{ change: 'worse' }], []],
  ['less severe', true, [{ change: 'changed', severity: 'notice' }], ['alert_update acknowledged']],
  [
    'to and fro',
    true,
    [
      { change: 'changed', severity: 'notice' },
      { change: 'worse', severity: 'warning' },
    ],
    ['alert_update acknowledged', 'alert_update acknowledged'],
  ],
  ['raised once more', true, [{ change: 'raised' }], []],
  ['over', true, [{ change: 'ended' }], ['alert_update cleared']],
  ['over twice', true, [{ change: 'ended' }, { change: 'ended' }], ['alert_update cleared']],
];

t.test('it sounds again only when it is worse than whoever saw it knows', async (t) => {
  for (const [what, seen, next, news] of table) {
    const rig = openBook(t);
    rig.book.take([firingOf({ count: 2 })], 0);
    if (seen) acknowledge(rig, rig.book.shown()[0]?.id ?? '');
    rig.news();
    for (const [index, fields] of next.entries())
      rig.book.take([firingOf({ count: 2, ...fields })], 1_000 * (index + 1));
    t.same(rig.news(), news, what);
  }
});

t.test('what got worse is not acknowledged any more, and says when it got worse', async (t) => {
  const rig = openBook(t);
  rig.book.take([firingOf()], 0);
  acknowledge(rig, rig.book.shown()[0]?.id ?? '');
  rig.book.take([firingOf({ change: 'worse', severity: 'critical' })], 5_000);
  t.match(rig.book.shown(), [
    { state: 'active', acknowledged: null, severity: 'critical', escalated_at: '2025-06-01T00:00:05.000Z' },
  ]);
});

t.test('what was bad, then less for longer than the cool-down, and is bad again, sounds again', async (t) => {
  const rig = openBook(t);
  rig.book.take([firingOf({ severity: 'critical' })], 0);
  acknowledge(rig, rig.book.shown()[0]?.id ?? '');
  rig.book.take([firingOf({ change: 'changed', severity: 'notice' })], 1_000);
  rig.news();
  rig.book.take([firingOf({ change: 'worse', severity: 'critical' })], 62_000);
  t.same(rig.news(), worse);
});

t.test(
  'one that begins again within the cool-down is the same alert and makes no sound; later it is another',
  async (t) => {
    const rig = openBook(t);
    rig.book.take([firingOf()], 0);
    rig.book.take([firingOf({ change: 'ended' })], 1_000);
    rig.news();
    rig.book.take([firingOf()], 30_000);
    t.same(rig.news(), quiet);
    t.match(rig.book.shown(), [{ state: 'active', cleared_at: null }]);
    rig.book.take([firingOf({ change: 'ended' })], 31_000);
    rig.book.tick(91_000);
    rig.news();
    rig.book.take([firingOf()], 91_500);
    t.same(rig.news(), raised);
    t.equal(rig.store.page(everything).rows.length, 2);
  },
);

t.test('one that was seen, ended and begins again within the cool-down is shown again, as seen', async (t) => {
  const rig = openBook(t);
  rig.book.take([firingOf()], 0);
  acknowledge(rig, rig.book.shown()[0]?.id ?? '');
  rig.book.take([firingOf({ change: 'ended' })], 1_000);
  t.same(rig.book.shown(), []);
  rig.book.take([firingOf()], 2_000);
  t.match(rig.book.shown(), [{ state: 'acknowledged', settled_at: null }]);
  rig.book.take([firingOf({ change: 'ended' })], 3_000);
  rig.book.take([firingOf({ severity: 'critical' })], 4_000);
  t.match(rig.book.shown(), [{ state: 'active', severity: 'critical' }], 'worse than before it sounds');
  t.equal(rig.told.at(-1)?.kind, 'live_alert');
});

t.test('what nobody saw leaves the picture in the end, told once', async (t) => {
  const rig = openBook(t);
  rig.book.take([firingOf({ key: 'a', severity: 'notice' }), firingOf({ key: 'b', severity: 'critical' })], 0);
  rig.book.take([firingOf({ key: 'a', change: 'ended' }), firingOf({ key: 'b', change: 'ended' })], 1_000);
  rig.news();
  rig.book.tick(1_801_000);
  t.match(rig.told, [{ kind: 'alert_update', alert: { severity: 'notice', settled_at: String } }]);
  t.match(rig.book.shown(), [{ severity: 'critical' }]);
  rig.book.tick(43_202_000);
  t.same(rig.book.shown(), []);
});

t.test('the least of all makes room, which is counted and logged', async (t) => {
  const rig = openBook(t);
  rig.book.setPolicy({ cooldownS: 60, maxActive: 10 });
  rig.book.take(
    Array.from({ length: 10 }, (_, i) => firingOf({ key: `old ${i}`, severity: i < 5 ? 'notice' : 'warning' })),
    0,
  );
  const seen = rig.book.shown()[2]?.id ?? '';
  acknowledge(rig, seen);
  rig.book.take([firingOf({ key: 'new', severity: 'critical' })], 1_000);
  t.notOk(rig.book.get(seen), 'of the least severe, the one that somebody has seen');
  t.match(rig.store.get(seen), { state: 'cleared', cleared_reason: null, settled_at: String });
  rig.book.take([firingOf({ key: 'nothing', severity: 'info' })], 2_000);
  t.notOk(
    rig.book.shown().some(({ severity }) => severity === 'info'),
    'it is itself the least',
  );
  t.equal(rig.book.droppedCount, 2);
  t.equal(rig.logged.filter(({ kind }) => kind === 'alert.dropped').length, 2);
  rig.book.take([firingOf({ key: 'nothing', severity: 'critical', change: 'worse' })], 3_000);
  t.equal(
    rig.book.shown().filter(({ severity }) => severity === 'critical').length,
    2,
    'and is raised once it is more',
  );
});

t.test('ten thousand at once are one write, and the worst of them are held', async (t) => {
  const rig = openBook(t);
  const firings = Array.from({ length: 10_000 }, (_, i) =>
    firingOf({ key: `k${i}`, severity: i % 20 === 0 ? 'critical' : 'notice' }),
  );
  const began = performance.now();
  rig.book.take(firings, 0);
  const tookMs = performance.now() - began;
  t.comment(`10 000 firings took ${tookMs.toFixed(0)} ms`);
  t.equal(rig.writes(), 1);
  t.equal(rig.book.shown().length, 500);
  t.ok(rig.book.shown().every(({ severity }) => severity === 'critical'));
  t.ok(tookMs < 5_000);
});

t.test('the same firings give the same, byte for byte', async (t) => {
  const run = (): string => {
    const rig = openBook(t);
    for (let i = 0; i < 300; i++) {
      const change = (['raised', 'worse', 'changed', 'ended'] as const)[(i * 7) % 4] ?? 'raised';
      const severity = (['info', 'notice', 'warning', 'critical'] as const)[(i * 5) % 4] ?? 'info';
      rig.book.take([firingOf({ key: `k${i % 11}`, change, severity, count: i % 3 })], i * 3_000);
      rig.book.tick(i * 3_000);
    }
    return JSON.stringify([rig.told, rig.logged]);
  };
  t.equal(run(), run());
});

t.test('words alone reach the disk every few seconds, the rest at once', async (t) => {
  const rig = openBook(t);
  rig.book.take([firingOf()], 0);
  t.equal(rig.writes(), 1);
  for (let i = 1; i <= 40; i++) rig.book.take([firingOf({ change: 'changed', text: `${i} m` })], i * 100);
  t.equal(rig.writes(), 1);
  rig.book.tick(5_000);
  t.equal(rig.writes(), 2);
  t.match(rig.store.page(everything).rows, [{ text: '40 m' }]);
});

t.test('a rule that raises no alert is logged and told to others where it says so', async (t) => {
  const rig = openBook(t);
  rig.book.take([firingOf({ does: { alert: false, log: true, notify: true, propose: false } })], 0);
  rig.book.take([firingOf({ change: 'changed', does: { alert: false, log: true, notify: true, propose: false } })], 1);
  rig.book.take([firingOf({ change: 'ended', does: { alert: false, log: true, notify: false, propose: false } })], 2);
  t.same(rig.news(), []);
  t.same(
    rig.logged.map(({ kind }) => kind),
    ['rule.fired', 'rule.ended'],
  );
  t.match(rig.sent, [{ kind: 'firing', severity: 'warning', body: { rule_id: 'zone_entry', change: 'raised' } }]);
});

t.test('an event that no longer alerts ends its alert, whatever its rule does by then', async (t) => {
  const does = { alert: false, log: true, notify: false, propose: false };
  for (const change of ['changed', 'worse', 'raised'] as const) {
    const rig = openBook(t);
    rig.book.take([firingOf()], 0);
    rig.book.take([firingOf({ change, does })], 1_000);
    t.match(rig.book.shown(), [{ state: 'cleared', cleared_reason: 'rule_changed' }], change);
  }
  const rig = openBook(t);
  rig.book.take([firingOf()], 0);
  rig.book.take([firingOf({ change: 'ended', because: 'lost', does })], 1_000);
  t.match(rig.book.shown(), [{ state: 'cleared', cleared_reason: 'lost' }]);
  t.same(
    rig.logged.map(({ kind }) => kind),
    ['alert.raised', 'alert.cleared'],
  );
});

t.test('a rule that begins to alert while its event lasts raises an alert, and one that stops ends it', async (t) => {
  const rig = openBook(t);
  const engine = new RuleEngine();
  const tracks = [trackFact(1, { zones: [zoneFact()] })];
  const look = (nowMs: number, alert: boolean): void => {
    engine.set([builtinValue('zone_entry', { does: { alert, log: true, notify: false, propose: false } })]);
    rig.book.take(engine.evaluate({ nowMs, tracks, sensors: [] }).firings, nowMs);
  };
  look(0, false);
  t.same(rig.book.shown(), []);
  look(1_000, true);
  t.match(rig.book.shown(), [{ state: 'active' }]);
  look(2_000, false);
  t.match(rig.book.shown(), [{ state: 'cleared', cleared_reason: 'rule_changed' }]);
});

t.test('others are told what somebody may have to act on, and only of rules that notify', async (t) => {
  const rig = openBook(t);
  const silent = { alert: true, log: true, notify: false, propose: false };
  rig.book.take([firingOf(), firingOf({ key: 'silent', does: silent })], 0);
  rig.book.take([firingOf({ change: 'changed', text: 'other words' })], 1_000);
  rig.book.take([firingOf({ change: 'worse', severity: 'critical' })], 2_000);
  rig.book.take([firingOf({ change: 'ended' }), firingOf({ key: 'silent', change: 'ended', does: silent })], 3_000);
  t.same(
    rig.sent.map(({ kind, body }) => `${kind} ${'state' in body ? body.state : ''}`),
    ['alert active', 'alert_update active', 'alert_update cleared'],
  );
});

t.test('a disk that refuses keeps nothing from being told, and gets it once it takes it', async (t) => {
  const state = openFolder(t);
  const rig = openBook(t, state);
  let full = true;
  state.db.function('refuse', () => {
    if (full) throw new Error('no space left');
    return null;
  });
  state.db.exec(`CREATE TEMP TRIGGER full BEFORE INSERT ON alerts BEGIN SELECT refuse(); END`);
  rig.book.take([firingOf()], 0);
  t.same(rig.news(), raised);
  t.equal(rig.troubles.length, 1);
  t.same(rig.sent, []);
  full = false;
  rig.book.tick(6_000);
  t.equal(rig.store.page(everything).rows.length, 1);
  t.equal(rig.sent.length, 1, 'and what is to be sent with it');
});

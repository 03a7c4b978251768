import t from 'tap';
import { foldSwarms, planFoldOf, rankThreats, type ThreatRow } from '../../src/console/state/rank.ts';
import type { Threat } from '../../src/model/threat.ts';
import type { Track } from '../../src/model/track.ts';

const believed: Track['integrity'] = { verdict: 'consistent', score: 1, reasons: [] };
const unseen = {
  ...{ verdict: 'suspect', score: 0.2 },
  reasons: [{ id: 'not_seen_by_sensor', text: 'no sensor sees it' }],
} as unknown as Track['integrity'];

const row = (
  id: string,
  group: string | null,
  dismissed = false,
  more: Partial<Threat> = {},
  integrity = believed,
): ThreatRow => ({
  threat: { track_id: id, dismissed: dismissed ? {} : null, nearest_zone: null, ...more } as Threat,
  track: { id, group_id: group, integrity } as Track,
});
const shape = (rows: readonly ThreatRow[]): string[] =>
  foldSwarms(rows).map(({ first, others }) => [first, ...others].map(({ track }) => track.id).join('+'));

t.test('threats that fly together are one row, at the place of the first, and none is lost', async (t) => {
  t.same(shape([row('a', 's'), row('b', null), row('c', 's'), row('d', 'r'), row('e', null), row('f', 's')]), [
    'a+c+f',
    'b',
    'd',
    'e',
  ]);
  t.same(shape([row('a', 's'), row('b', 's', true)]), ['a', 'b'], 'a dismissed one stays alone');
  const inside = { level: 'critical', nearest_zone: { inside: true } } as Partial<Threat>;
  t.same(
    shape([row('a', 's'), row('b', 's', false, inside), row('c', 's')]),
    ['a+c', 'b'],
    'nor is one critical inside',
  );
  t.same(
    shape([row('a', 's'), row('b', 's', false, inside, unseen), row('c', 's')]),
    ['b+a+c'],
    'a claim that no sensor sees is folded',
  );
  t.same(
    shape([row('a', 's', false, {}, unseen), row('b', 's', false, inside), row('c', 's', false, inside)]),
    ['a', 'b', 'c'],
    'a claim hides no other aircraft of its group',
  );
});

t.test(
  'plans about a swarm are folded, but not those about an aircraft beside claims that no sensor sees',
  async (t) => {
    const keys = (rows: readonly ThreatRow[]) => rows.map((one) => planFoldOf(one, one.track.group_id));
    const [a, b, c, d] = keys([row('a', 's'), row('b', 's'), row('c', 's', false, {}, unseen), row('d', null)]);
    t.equal(a, b);
    t.not(a, c);
    t.equal(d, null);
    const inside = { level: 'critical', nearest_zone: { inside: true } } as Partial<Threat>;
    t.same(keys([row('e', 's', false, inside)]), [null], 'nor those about a critical one inside its zone');
  },
);

t.test('the head of a swarm changes with a level, and with no time or score', async (t) => {
  const near = { level: 'high', score: 70 } as Partial<Threat>;
  t.same(shape([row('b', 's', false, near), row('c', null), row('a', 's', false, near)]), ['a+b', 'c']);
  const risen = [row('b', 's', false, { ...near, level: 'critical' }), row('a', 's', false, near)];
  t.same(shape(risen), ['b+a']);
  t.equal(foldSwarms(risen, new Map([['s', 'a']]))[0]?.first.track.id, 'a', 'nor while the order is held');
  t.equal(foldSwarms(risen, new Map([['s', 'gone']]))[0]?.first.track.id, 'b');
});

t.test('within a level, a lost track comes after the others', async (t) => {
  const high = { level: 'high', score: 70 } as Partial<Threat>;
  const [lost, live] = [row('a', null, false, high), row('b', null, false, { ...high, score: 60 })];
  const tracks = new Map([lost, live].map(({ track }) => [track.id, track]));
  tracks.set('a', { ...lost?.track, state: 'lost' } as Track);
  const ranked = rankThreats(
    [lost, live].flatMap((one) => (one ? [one.threat] : [])),
    (id) => tracks.get(id),
  );
  t.same(
    ranked.map(({ track }) => track.id),
    ['b', 'a'],
  );
});

t.test('within a level, claims that no sensor sees come after the others', async (t) => {
  const critical = { level: 'critical', score: 80 } as Partial<Threat>;
  const rows = [
    row('ghost', null, false, { ...critical, score: 100 }, unseen),
    row('real', null, false, critical),
    row('high', null, false, { level: 'high', score: 70 }),
  ];
  const byId = new Map(rows.map(({ track }) => [track.id, track]));
  const ranked = rankThreats(
    rows.map(({ threat }) => threat),
    (id) => byId.get(id),
  );
  t.same(
    ranked.map(({ track }) => track.id),
    ['real', 'ghost', 'high'],
  );
});

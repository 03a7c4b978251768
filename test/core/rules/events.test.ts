import t from 'tap';
import { RuleEngine } from '../../../src/core/rules/engine.ts';
import { Episode, Subject } from '../../../src/core/rules/episode.ts';
import type { TrackFacts } from '../../../src/core/rules/facts.ts';
import type { Firing } from '../../../src/model/firing.ts';
import type { RuleValue } from '../../../src/model/rule_value.ts';
import { allBuiltins, builtinValue, silent, trackFact, userValue, zoneFact } from '../../support/core/rule_facts.ts';

const STEP_MS = 250;
const inApron = { zones: [zoneFact()] };

/** Runs rules through seconds; `at` says what is there, null nothing. Answers what was told, with when, in words. */
function run(rules: readonly RuleValue[], seconds: number, at: (s: number) => readonly TrackFacts[]): Firing[] {
  const engine = new RuleEngine();
  engine.set(rules);
  const told: Firing[] = [];
  for (let nowMs = 0; nowMs <= seconds * 1_000; nowMs += STEP_MS)
    told.push(...engine.evaluate({ nowMs, tracks: at(nowMs / 1_000), sensors: [] }).firings);
  return told;
}

const brief = (told: readonly Firing[]): string[] =>
  told.map(({ change, atMs, count, subject }) => `${atMs / 1_000} ${change} ${subject.type} ${count}`);
const between = (s: number, from: number, to: number): boolean => s >= from && s < to;

const entry = builtinValue('zone_entry');

t.test('an event is raised once and ends a few seconds after it no longer holds', async (t) => {
  const told = run([entry], 20, (s) => [trackFact(1, between(s, 2, 8) ? inApron : {})]);
  t.same(brief(told), ['2 raised track 1', '12.75 ended track 1']);
  t.equal(told[0]?.key, told[1]?.key);
  t.match(told[0], { ruleId: 'zone_entry', zoneId: 'apron', trackIds: ['track-0001'], severity: 'warning' });
});

t.test('what flickers is one event', async (t) => {
  const told = run([entry], 30, (s) => [trackFact(1, Math.floor(s) % 2 === 0 ? inApron : {})]);
  t.same(
    brief(told).filter((line) => !line.includes('changed')),
    ['0 raised track 1'],
  );
});

t.test('a track that ends ends its event, one that is lost stays where it was and begins nothing', async (t) => {
  t.same(brief(run([entry], 20, (s) => (s < 3 ? [trackFact(1, inApron)] : []))), [
    '0 raised track 1',
    '7.75 ended track 1',
  ]);
  const lost = (s: number): Partial<TrackFacts> => ({ ...inApron, state: s < 3 ? 'confirmed' : 'lost' });
  const left = run([entry], 20, (s) => [trackFact(1, { ...lost(s), lastSeenMs: 2_000 })]);
  t.same(brief(left), ['0 raised track 1', '3 changed track 1']);
  t.match(left[1], { lastSeenMs: 2_000, text: /^T-0001 .* was in apron \(protected\), last seen \{last_seen\}\.$/ });
  t.same(
    run([entry], 20, () => [trackFact(1, { ...inApron, state: 'lost' })]),
    [],
  );
});

t.test('it has to hold without a break that is seen', async (t) => {
  const rule = builtinValue('zone_entry', { forS: 2 });
  t.same(brief(run([rule], 4, () => [trackFact(1, inApron)])), ['2 raised track 1']);
  t.same(
    run([rule], 4, (s) => [trackFact(1, s % 2 === 1.75 ? {} : inApron)]),
    [],
  );
});

t.test(
  'the same is not raised again during its cooldown, is counted, and is raised if it still holds after',
  async (t) => {
    const engine = new RuleEngine();
    engine.set([builtinValue('zone_entry', { cooldownS: 30 })]);
    const told: Firing[] = [];
    for (let s = 0; s <= 60; s++) {
      const track = trackFact(1, s < 5 || s >= 15 ? inApron : {});
      told.push(...engine.evaluate({ nowMs: s * 1_000, tracks: [track], sensors: [] }).firings);
    }
    t.same(brief(told), ['0 raised track 1', '9 ended track 1', '39 raised track 1']);
    t.same(engine.takeCounts(), [
      { ruleId: 'zone_entry', fired: 2, suppressed: 1, lastMs: 39_000, lastTrackId: 'track-0001' },
    ]);
    t.same(engine.takeCounts(), []);
  },
);

t.test('a sensor that is silent again during the cooldown has its alert at once', (t) => {
  const engine = new RuleEngine();
  engine.set([builtinValue('sensor_silent', { forS: 0, cooldownS: 60 })]);
  const told: Firing[] = [];
  for (let s = 0; s <= 40; s++) {
    const sensors = s < 5 || s >= 15 ? [silent] : [{ ...silent, state: 'operational' }];
    told.push(...engine.evaluate({ nowMs: s * 1_000, tracks: [], sensors }).firings);
  }
  const [first, ended, again] = told;
  t.same(
    told.map(({ change, atMs }) => [change, atMs]),
    [
      ['raised', 0],
      ['ended', 9_000],
      ['raised', 15_000],
    ],
  );
  t.same([ended?.key, again?.key], [first?.key, first?.key], 'the same event');
  t.notMatch(ended?.text, /received/, 'and no reception is claimed');
  t.end();
});

t.test('a dismissal ends an event as such, and who takes it back is told at once', async (t) => {
  const told = run([entry], 30, (s) => [trackFact(1, { ...inApron, dismissed: between(s, 5, 20) })]);
  t.same(brief(told), ['0 raised track 1', '9.75 ended track 1', '20 raised track 1']);
  t.equal(told[1]?.text, 'T-0001: the alert is over, because a person dismissed it.');
  const left = run([entry], 30, (s) => [trackFact(1, s < 5 ? inApron : {})]);
  t.match(left[1]?.text, /out of the zone/);
});

t.test('what is louder than before is raised in spite of a cooldown, and told as worse while it goes on', async (t) => {
  const loud = { zones: [zoneFact({ alarm: { on: ['enter'], severity: 'critical' } })] };
  const again = run([entry], 30, (s) => [trackFact(1, s < 5 ? inApron : s < 15 ? {} : loud)]);
  t.same(brief(again), ['0 raised track 1', '9.75 ended track 1', '15 raised track 1']);
  const worse = run([entry], 8, (s) => [trackFact(1, s < 5 ? inApron : loud)]);
  t.same(
    worse.map(({ change, severity }) => `${change} ${severity}`),
    ['raised warning', 'worse critical'],
  );
});

t.test('fifteen that enter together are one event of a zone', async (t) => {
  const fleet = (s: number) => Array.from({ length: 15 }, (_, i) => trackFact(i + 1, s >= 1 ? inApron : {}));
  const told = run([entry], 20, fleet);
  t.same(brief(told), ['1 raised zone 15']);
  t.equal(told[0]?.trackIds.length, 15);
  t.match(told[0]?.text, /^15 aircraft \(T-0001, T-0002, T-0003 and 12 more\) are in apron/);
});

t.test(
  'each of a few that enter one after the other is an event of its own, the fifth within ten seconds joins',
  async (t) => {
    const told = run([entry], 40, (s) =>
      [0, 8, 16, 27].flatMap((from, i) => (s >= from ? [trackFact(i + 1, inApron)] : [])),
    );
    t.same(
      brief(told),
      [0, 8, 16, 27].map((s) => `${s} raised track 1`),
    );
    const many = run([entry], 12, (s) =>
      [0, 2, 4, 6, 8, 9].flatMap((from, i) => (s >= from ? [trackFact(i + 1, inApron)] : [])),
    );
    t.same(
      many.filter(({ change }) => change === 'raised').map(({ trackIds }) => trackIds),
      [1, 2, 3, 4].map((n) => [`track-000${n}`]),
    );
    t.match(
      many.filter(({ change }) => change === 'worse'),
      [{ count: 2, subject: { type: 'zone' } }],
      'the others are with the fourth',
    );
    t.same(many.at(-1)?.trackIds, ['track-0004', 'track-0005', 'track-0006']);
  },
);

t.test('those who fly together are one event however late they enter', async (t) => {
  const told = run([entry], 70, (s) =>
    [0, 20, 60].flatMap((from, i) =>
      s >= from ? [trackFact(i + 1, { ...inApron, groupId: 'g1', groupSize: 3 })] : [],
    ),
  );
  t.equal(told.filter(({ change }) => change === 'raised').length, 1);
  t.match(told.at(-1), { count: 3, subject: { type: 'group', id: 'g1', label: 'group of 3' } });
});

t.test(
  'an event of a group stays one of the group while a member is lost, or while the group falls apart',
  async (t) => {
    const group = { ...inApron, groupId: 'g1', groupSize: 3 };
    const alone = { ...inApron, groupId: null, groupSize: 1 };
    const told = run([entry], 40, (s) => [
      trackFact(1, between(s, 20, 25) ? alone : group),
      trackFact(2, between(s, 20, 25) ? alone : group),
      trackFact(3, between(s, 10, 25) ? { ...alone, state: 'lost' } : group),
    ]);
    t.same([...new Set(told.map(({ subject }) => `${subject.type} ${subject.id}`))], ['group g1']);
    t.match(
      told.filter(({ change }) => change !== 'changed'),
      [{ change: 'raised' }],
    );
  },
);

t.test('zones are told of one by one', async (t) => {
  const zones = [zoneFact(), zoneFact({ id: 'gate', name: 'gate' })];
  const told = run([entry], 2, () => [trackFact(1, { zones })]);
  t.same(told.map(({ zoneId }) => zoneId).sort(), ['apron', 'gate']);
});

t.test('a rule that is taken away or turned off ends what it raised, one that is changed goes on', async (t) => {
  const engine = new RuleEngine();
  const look = (nowMs: number): Firing[] =>
    engine.evaluate({ nowMs, tracks: [trackFact(1, inApron)], sensors: [] }).firings;
  engine.set([entry]);
  t.match(look(0), [{ change: 'raised' }]);
  engine.set([builtinValue('zone_entry', { version: 2, severity: 'critical' })]);
  t.match(look(250), [{ change: 'worse', severity: 'critical', ruleVersion: 2 }]);
  engine.set([]);
  t.match(look(500), [{ change: 'ended', key: 'zone_entry:apron:track-0001' }]);
  t.same(look(750), []);
});

t.test('a rule that begins or stops to raise alerts ends its events as they began, and begins them anew', async (t) => {
  const does = { alert: true, log: true, notify: true, propose: false };
  const alerting = builtinValue('zone_entry', { version: 2, cooldownS: 60 });
  const logging = builtinValue('zone_entry', { version: 3, cooldownS: 60, does: { ...does, alert: false } });
  const key = 'zone_entry:apron:track-0001';
  for (const [before, after] of [
    [alerting, logging],
    [logging, alerting],
  ] as const) {
    const engine = new RuleEngine();
    const look = (nowMs: number, changes: Partial<TrackFacts> = inApron): Firing[] =>
      engine.evaluate({ nowMs, tracks: [trackFact(1, changes)], sensors: [] }).firings;
    engine.set([before]);
    t.match(look(0), [{ change: 'raised', key, does: before.does }]);
    engine.set([after]);
    engine.set([before]);
    t.same(look(250), [], 'a change that is taken back at once ends nothing');
    engine.set([after]);
    t.match(look(500), [
      { change: 'ended', key, because: 'rule_changed', does: before.does, ruleVersion: before.version },
      { change: 'raised', key, does: after.does, ruleVersion: after.version },
    ]);
    engine.set([before]);
    t.match(
      look(750, { ...inApron, state: 'lost' }),
      [{ change: 'ended', does: after.does }],
      'a lost track begins no event',
    );
    t.same(look(1_000, {}), []);
  }
});

t.test('a rule that is deleted after such a change ends its events as they began', async (t) => {
  const engine = new RuleEngine();
  const look = (nowMs: number): Firing[] =>
    engine.evaluate({ nowMs, tracks: [trackFact(1, inApron)], sensors: [] }).firings;
  engine.set([entry]);
  look(0);
  engine.set([builtinValue('zone_entry', { version: 2, does: { ...entry.does, alert: false } })]);
  engine.set([]);
  t.match(look(250), [{ change: 'ended', does: { alert: true } }]);
});

t.test('two tracks that are found to be one are one in the event too', async (t) => {
  const engine = new RuleEngine();
  engine.set([entry]);
  engine.evaluate({ nowMs: 0, tracks: [trackFact(1, inApron)], sensors: [] });
  engine.merged('track-0001', 'track-0002');
  for (let s = 20; s < 40; s++)
    t.same(
      engine
        .evaluate({ nowMs: s * 1_000, tracks: [trackFact(2, inApron)], sensors: [] })
        .firings.filter(({ change }) => change !== 'changed'),
      [],
    );
});

t.test('tentative tracks and those in clutter raise nothing, of no rule', async (t) => {
  const any = userValue({ when: { all: [{ field: 'track.score', op: 'gte', value: 0 }] } });
  const quiet = [trackFact(1, { ...inApron, state: 'tentative' }), trackFact(2, { ...inApron, ignored: true })];
  t.same(
    run([...allBuiltins, any], 5, () => quiet),
    [],
  );
});

t.test('a flood of fakes is one warning and hides every other rule of theirs', async (t) => {
  const fake = (number: number, changes: Partial<TrackFacts> = {}): TrackFacts =>
    trackFact(number, {
      ...inApron,
      verdict: 'suspect',
      cooperative: 'coop_only',
      named: true,
      radios: ['a'],
      firstSeenMs: number * 1_000,
      ...changes,
    });
  const sixteen = Array.from({ length: 16 }, (_, i) => fake(i + 1));
  const told = run(allBuiltins, 10, () => sixteen);
  t.same(brief(told), ['0 raised site 16']);
  t.match(told[0], { ruleId: 'suspect_remote_id', severity: 'warning' });
  t.match(told[0]?.text, /flood of 16 aircraft is received from one transmitter and seen by no sensor/);
  const four = run(allBuiltins, 3, () => sixteen.slice(0, 4));
  const each = (ruleId: string): string[] => [1, 2, 3, 4].map((n) => `${ruleId} track-000${n}`);
  t.same(four.map(({ ruleId, trackIds }) => `${ruleId} ${trackIds.join()}`).sort(), [
    'suspect_remote_id track-0001,track-0002,track-0003,track-0004',
    ...each('unidentified_in_protected_zone'),
    ...each('zone_entry'),
  ]);
  const one = run(allBuiltins, 3, () => [fake(1)]);
  t.same(
    one.map(({ ruleId }) => ruleId).sort(),
    ['suspect_remote_id', 'unidentified_in_protected_zone', 'zone_entry'],
    'one alone hides nothing',
  );
  const apart = run(allBuiltins, 3, () => [1, 2, 3, 4, 5].map((n) => fake(n, { firstSeenMs: n * 20_000 })));
  t.ok(
    apart.some(({ ruleId }) => ruleId === 'zone_entry'),
    'five in eighty seconds are no flood',
  );
});

t.test('who comes while a flood goes on is told of when it had time to contradict itself, and has not', async (t) => {
  const comesS = 4;
  const told = run(allBuiltins, 20, (s) => {
    const liars = Array.from({ length: 6 }, (_, i) =>
      trackFact(i + 1, { ...inApron, verdict: 'suspect', cooperative: 'coop_only', firstSeenMs: 0 }),
    );
    const late = { ...inApron, cooperative: 'coop_only' as const, firstSeenMs: comesS * 1_000 };
    const liar = trackFact(7, { ...late, verdict: s < comesS + 5 ? 'unchecked' : 'suspect' });
    const honest = trackFact(8, { ...late, verdict: 'unchecked' });
    const seen = trackFact(9, { ...late, verdict: 'unchecked', cooperative: 'non_coop_only', named: false });
    return s < comesS ? liars : [...liars, liar, honest, ...(s < 14 ? [] : [seen])];
  });
  const raised = told.filter(({ change }) => change === 'raised');
  t.same(
    raised.map(({ ruleId, trackIds, atMs }) => `${atMs / 1_000} ${ruleId} ${trackIds.join()}`),
    [
      '0 suspect_remote_id track-0001,track-0002,track-0003,track-0004,track-0005,track-0006',
      '10 zone_entry track-0008',
      '14 unidentified_in_protected_zone track-0009',
      '14 zone_entry track-0009',
    ],
  );
});

t.test('one of a flood that a sensor sees is out of it and is told of by itself', async (t) => {
  const fakes = (s: number) =>
    Array.from({ length: 8 }, (_, i) =>
      trackFact(i + 1, { ...inApron, verdict: 'suspect', cooperative: i === 0 && s >= 3 ? 'both' : 'coop_only' }),
    );
  const told = run(allBuiltins, 5, fakes);
  const raised = told.filter(({ change }) => change === 'raised');
  t.same(
    raised.map(({ ruleId, trackIds, atMs }) => `${atMs / 1_000} ${ruleId} ${trackIds.length}`),
    ['0 suspect_remote_id 8', '3 suspect_remote_id 1', '3 unidentified_in_protected_zone 1', '3 zone_entry 1'],
  );
  t.ok(raised.slice(1).every(({ trackIds }) => trackIds[0] === 'track-0001'));
});

t.test(
  'a flood that comes up takes in what was raised of its members, and gives it back when it is over',
  async (t) => {
    const told = run(allBuiltins, 60, (s) => {
      const count = s < 2 ? 2 : s < 20 ? 6 : 2;
      return Array.from({ length: count }, (_, i) =>
        trackFact(i + 1, { ...inApron, verdict: 'suspect', cooperative: 'coop_only', firstSeenMs: 0 }),
      );
    });
    const of = (ruleId: string) =>
      told
        .filter((firing) => firing.ruleId === ruleId && firing.change !== 'changed')
        .map(({ change, atMs }) => `${atMs / 1_000} ${change}`);
    t.same(of('zone_entry'), ['0 raised', '0 raised', '2 ended', '2 ended', '20 raised', '20 raised']);
    t.same(of('suspect_remote_id').slice(0, 2), ['0 raised', '2 worse']);
  },
);

t.test('a rule without telling raises the floor of a level for as long as it holds', async (t) => {
  const engine = new RuleEngine();
  const when = { all: [{ field: 'track.height_m' as const, op: 'lt' as const, value: 60 }] };
  const raising = (level: 'medium' | 'high') => Object.fromEntries([['then', [{ do: 'raise_level', level }]]]);
  engine.set([userValue({ when, for_s: 1, ...raising('high') }), userValue({ when, ...raising('medium') }, 'user-2')]);
  const look = (nowMs: number, heightM: number) =>
    engine.evaluate({ nowMs, tracks: [trackFact(1, { heightM })], sensors: [] });
  t.same(look(0, 50).floors, [{ trackId: 'track-0001', level: 'medium' }]);
  t.same(look(1_000, 50).floors, [{ trackId: 'track-0001', level: 'high' }]);
  t.same(look(1_250, 70).floors, []);
});

t.test('sensors that fall silent together are an event each, known again by their ids', async (t) => {
  const engine = new RuleEngine();
  engine.set(allBuiltins);
  const sensors = [silent, { ...silent, id: 'sensor-2', name: 'south mast' }];
  t.match(engine.evaluate({ nowMs: 0, tracks: [], sensors }).firings, [
    { key: `sensor_silent:-:${silent.id}`, subject: { type: 'sensor', label: 'north mast' }, count: 1, trackIds: [] },
    {
      key: 'sensor_silent:-:sensor-2',
      subject: { type: 'sensor', label: 'south mast' },
      count: 1,
      text: /^south mast /,
    },
  ]);
  const back = [0, 1, 2, 3, 4, 5, 6].flatMap(
    (s) => engine.evaluate({ nowMs: 1_000 + s * 1_000, tracks: [], sensors: [] }).firings,
  );
  t.match(back, [{ change: 'ended' }, { change: 'ended' }]);
});

t.test('a flood whose members change their names goes on as it was', async (t) => {
  const told = run(allBuiltins, 60, (s) =>
    Array.from({ length: 8 }, (_, i) => {
      const number = Math.floor(s) + i + 1;
      return trackFact(number, { verdict: 'suspect', cooperative: 'coop_only', firstSeenMs: number * 1_000 });
    }),
  );
  const loud = told.filter(({ change }) => change !== 'changed');
  t.same(
    loud.map(({ change }) => change),
    ['raised', 'worse'],
    'worse once, with those who have left a moment ago',
  );
  t.ok((told.at(-1)?.count ?? 0) > 50);
});

const heardIn = { ...inApron, cooperative: 'coop_only', verdict: 'unchecked' } as const;
/** A new name each eight seconds, each heard for twenty: neither a flood nor a crowd. */
const decoys = (s: number): TrackFacts[] =>
  Array.from({ length: 20 }, (_, k) => k * 8)
    .filter((from) => between(s, from, from + 20))
    .map((from) => trackFact(1 + from / 8, { ...heardIn, firstSeenMs: from * 1_000 }));
const calls = (told: readonly Firing[]): Firing[] =>
  told.filter(({ change }) => change === 'raised' || change === 'worse');

t.test(
  'who invents aircraft one after another raises few events, and holds none open for longer than a minute',
  async (t) => {
    const told = run([entry], 150, decoys).filter(({ change }) => change === 'raised');
    t.ok(told.length >= 5, brief(told).join(', '));
    for (const { atMs } of told) {
      const within = told.filter((other) => other.atMs >= atMs && other.atMs < atMs + 60_000);
      t.ok(within.length <= 4, `${within.length} within a minute of ${atMs}`);
    }
  },
);

t.test('one that a sensor sees among those that are only heard is told of aloud', async (t) => {
  const real = trackFact(99, { ...inApron, cooperative: 'non_coop_only', firstSeenMs: 41_000 });
  const told = run([entry], 60, (s) => [...decoys(s), ...(s >= 41 ? [real] : [])]);
  const call = calls(told).find(({ trackIds }) => trackIds.includes(real.id));
  t.match(call, { atMs: 41_000, change: 'raised', trackIds: [real.id] });
});

t.test('one that is heard first and seen later is the same one: nobody is called again', async (t) => {
  const told = run([entry], 20, (s) => [trackFact(1, { ...heardIn, cooperative: s < 5 ? 'coop_only' : 'both' })]);
  t.same(brief(calls(told)), ['0 raised track 1']);
});

t.test('one of a flood that is lost while the rest goes on is told of no more', async (t) => {
  const flood = (s: number): TrackFacts[] =>
    Array.from({ length: 8 }, (_, i) =>
      trackFact(i + 1, { ...heardIn, verdict: 'suspect', state: i === 0 && s > 10 ? 'lost' : 'confirmed' }),
    );
  const told = calls(run(allBuiltins, 40, flood));
  t.same(
    told.map(({ ruleId, change, count }) => `${ruleId} ${change} ${count}`),
    ['suspect_remote_id raised 8'],
  );
});

t.test('whom a person holds to be hostile no flood hides', async (t) => {
  const flood = Array.from({ length: 6 }, (_, i) => trackFact(i + 1, { ...heardIn, verdict: 'suspect' }));
  const hostile = trackFact(7, {
    ...heardIn,
    verdict: 'suspect',
    affiliation: 'hostile',
    affiliationBasis: 'assignment',
  });
  const told = calls(run(allBuiltins, 5, () => [...flood, hostile]));
  t.match(
    told.find(({ ruleId }) => ruleId === 'unidentified_in_protected_zone'),
    { trackIds: [hostile.id], severity: 'critical' },
  );
});

t.test('an event of days keeps a limited number of former members and their groups', async (t) => {
  const episode = new Episode('suspect_remote_id:-:track-0001', null, 0);
  for (let n = 0; n < 6_000; n++) {
    const subject = new Subject(`track-${n}`, `T-${n}`, n, n);
    subject.groupId = `group-${n}`;
    episode.join(subject, n);
    episode.leave(subject, 'friend');
  }
  t.same([episode.seen.size, episode.excused.size, episode.groups.size], [5_000, 5_000, 5_000]);
});

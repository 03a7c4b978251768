import t from 'tap';
import { RuleEngine } from '../../../src/core/rules/engine.ts';
import type { AssetFact, TrackFacts } from '../../../src/core/rules/facts.ts';
import type { RuleCondition } from '../../../src/model/rule_condition.ts';
import { silent, trackFact, userValue, zoneFact } from '../../support/core/rule_facts.ts';

const zoneId = '5e0f6a52-0d3c-8a11-9c55-0000000000c1';
const assetId = '5e0f6a52-0d3c-8a11-9c55-0000000000a1';
const assets: AssetFact[] = [{ id: assetId, name: 'mast', latDeg: 48.2, lonDeg: 16.38 }];

function holds(condition: RuleCondition, changes: Partial<TrackFacts> = {}): boolean {
  const engine = new RuleEngine();
  engine.set([userValue({ when: { all: [condition] } })]);
  return engine.evaluate({ nowMs: 60_000, tracks: [trackFact(1, changes)], sensors: [], assets }).firings.length > 0;
}

const cases: [condition: RuleCondition, fits: Partial<TrackFacts>, not: Partial<TrackFacts>][] = [
  [{ field: 'track.score', op: 'gte', value: 40 }, { score: 40 }, { score: 39.9 }],
  [{ field: 'track.score', op: 'ne', value: 40 }, { score: 41 }, { score: Number.NaN }],
  [{ field: 'track.level', op: 'gt', value: 'low' }, { level: 'medium' }, { level: 'low' }],
  [{ field: 'track.level', op: 'in', value: ['none', 'low'] }, { level: 'none' }, { level: 'high' }],
  [{ field: 'track.affiliation', op: 'ne', value: 'friend' }, {}, { affiliation: 'friend' }],
  [{ field: 'track.height_m', op: 'lt', value: 60 }, { heightM: 59 }, { heightM: Number.NaN }],
  [{ field: 'track.climb_mps', op: 'lte', value: -3 }, { climbMps: -3 }, { climbMps: 0 }],
  [{ field: 'track.identity', op: 'eq', value: '1581f*' }, {}, { identities: [] }],
  [
    { field: 'track.identity', op: 'in', value: ['a', '1581F1'] },
    {},
    { identities: [{ type: 'serial', value: '1581F12' }] },
  ],
  [
    { field: 'track.classification', op: 'ne', value: 'bird' },
    {},
    { classification: [{ label: 'bird', confidence: 0.1 }] },
  ],
  [{ field: 'track.flag', op: 'eq', value: 'emergency' }, { flags: ['emergency'] }, {}],
  [{ field: 'track.doubt', op: 'in', value: ['jump'] }, { doubts: [{ id: 'jump', text: '' }] }, {}],
  [{ field: 'track.crewed', op: 'eq', value: true }, { crewed: true }, {}],
  [{ field: 'track.named', op: 'ne', value: true }, { named: false }, {}],
  [{ field: 'track.age_s', op: 'gt', value: 30 }, { firstSeenMs: 20_000 }, { firstSeenMs: 40_000 }],
  [
    { field: 'track.nearest_m', op: 'lt', value: 500 },
    { nearest: { id: 'a', name: 'a', zoneKind: 'protected', distanceM: 400, closingMps: 0 } },
    { nearest: null },
  ],
  [
    { field: 'track.zone', op: 'inside', value: zoneId.toUpperCase() },
    { zones: [zoneFact({ id: zoneId })] },
    { zones: [zoneFact({ id: zoneId, inside: false })] },
  ],
  [
    { field: 'track.zone', op: 'inside', value: 'keep_out' },
    { zones: [zoneFact({ kind: 'keep_out' })] },
    { zones: [zoneFact()] },
  ],
  [{ field: 'track.zone', op: 'outside', value: 'protected' }, {}, { zones: [zoneFact()] }],
  [{ field: 'track.zone', op: 'outside', value: 'protected' }, {}, { latDeg: Number.NaN }],
  [{ field: 'track.position', op: 'within_m', value: { lat: 48.2, lon: 16.371, m: 80 } }, {}, { lonDeg: 16.369 }],
  [{ field: 'track.position', op: 'within_m', value: { asset_id: assetId, m: 800 } }, {}, { lonDeg: 16.36 }],
  [{ field: 'track.position', op: 'within_m', value: { asset_id: assetId, m: 800 } }, {}, { assetId }],
  [
    { field: 'track.position', op: 'within_m', value: { zone_id: zoneId, m: 300 } },
    { zones: [zoneFact({ id: zoneId, inside: false, distanceM: 250 })] },
    {},
  ],
];

for (const [condition, fits, not] of cases) {
  t.test(`${condition.field} ${condition.op} ${JSON.stringify(condition.value)}`, async (t) => {
    t.ok(holds(condition, fits), JSON.stringify(fits));
    t.notOk(holds(condition, not), JSON.stringify(not));
  });
}

t.test('changed is of the look before, and not of what is seen first', async (t) => {
  const engine = new RuleEngine();
  engine.set([userValue({ when: { all: [{ field: 'track.affiliation', op: 'changed' }] } })]);
  const raised = (s: number, changes: Partial<TrackFacts>): number =>
    engine
      .evaluate({ nowMs: s * 1_000, tracks: [trackFact(1, changes)], sensors: [] })
      .firings.filter(({ change }) => change === 'raised').length;
  t.equal(raised(0, {}), 0);
  t.equal(raised(1, {}), 0);
  t.equal(raised(2, { affiliation: 'hostile' }), 1);
  t.equal(raised(3, { affiliation: 'hostile' }), 0);
});

t.test('no track is outside a zone that is not active', async (t) => {
  const engine = new RuleEngine();
  engine.set([userValue({ when: { all: [{ field: 'track.zone', op: 'outside', value: zoneId.toUpperCase() }] } })]);
  const changes = (nowMs: number, zoneIds: string[]): string[] =>
    engine
      .evaluate({ nowMs, tracks: [trackFact(1, {})], sensors: [], zoneIds: new Set(zoneIds) })
      .firings.map(({ change }) => change);
  t.same(changes(0, []), []);
  t.same(changes(1_000, [zoneId]), ['raised']);
  t.not(changes(20_000, []).at(-1), 'raised');
  t.same(changes(60_000, []), [], 'the alert is over');
});

t.test('a rule about sensors asks sensors', async (t) => {
  const engine = new RuleEngine();
  const when = {
    all: [
      { field: 'sensor.name' as const, op: 'eq' as const, value: 'north*' },
      { field: 'sensor.state' as const, op: 'eq' as const, value: 'degraded' },
    ],
  };
  engine.set([userValue({ when, message: '{sensor.name} is {sensor.state}' })]);
  const sensors = [silent, { ...silent, id: 's2', name: 'North 2', state: 'degraded' }];
  t.match(engine.evaluate({ nowMs: 0, tracks: [], sensors }).firings, [
    { text: 'North 2 is degraded', subject: { type: 'sensor', id: 's2' } },
  ]);
});

t.test('a message is filled in with what is known, and says how many more there are', async (t) => {
  const engine = new RuleEngine();
  const when = { all: [{ field: 'track.zone' as const, op: 'inside' as const, value: 'protected' }] };
  engine.set([
    userValue({ when, message: '{track.label} at {track.height_m} m, {track.climb_mps} m/s up, over {zone.name}' }),
  ]);
  const unclimbed = { zones: [zoneFact()], climbMps: Number.NaN, heightM: 59.6 };
  const tracks = [1, 2, 3, 4, 5].map((n) => trackFact(n, unclimbed));
  t.equal(
    engine.evaluate({ nowMs: 0, tracks, sensors: [] }).firings[0]?.text,
    'T-0001 at 60 m, unknown m/s up, over apron (and 4 more)',
  );
});

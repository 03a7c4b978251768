import type { SensorFact, TrackFacts } from '../../../src/core/rules/facts.ts';
import type { BuiltinRuleId } from '../../../src/model/builtin_rules.ts';
import { silent, trackFact, zoneFact } from '../../support/core/rule_facts.ts';

/** What is there for ten seconds, and which built-in rules tell of it. */
export type Situation = {
  what: string;
  tracks?: readonly TrackFacts[];
  sensors?: readonly SensorFact[];
  raises: readonly BuiltinRuleId[];
  says?: RegExp;
};

const one = (changes: Partial<TrackFacts>): readonly TrackFacts[] => [trackFact(1, changes)];
const warning = zoneFact({ kind: 'warning', id: 'field', name: 'field' });
const ahead = zoneFact({ inside: false, approaching: true, distanceM: 600, closingMps: 15, etaS: 40 });
const friend = { affiliation: 'friend', assetId: 'asset-1' } as const;
const near = (distanceM: number) => [
  { trackId: 'track-0009', label: 'T-0009', assetName: 'Heron 2', distanceM, crewed: false },
];
const together = (n: number, changes: (i: number) => Partial<TrackFacts> = () => ({})): readonly TrackFacts[] =>
  Array.from({ length: n }, (_, i) =>
    trackFact(i + 1, { groupId: 'g1', groupSize: n, latDeg: 48.2 + i * 1e-3, ...changes(i) }),
  );
const suspect = {
  verdict: 'suspect',
  doubts: [{ id: 'jump', text: 'it jumped 300 m.' }],
} as const satisfies Partial<TrackFacts>;

export const situations: readonly Situation[] = [
  { what: 'a known drone flies by', tracks: one({}), raises: [] },
  {
    what: 'a drone that tells its name is in a protected zone',
    tracks: one({ zones: [zoneFact()] }),
    raises: ['zone_entry'],
    says: /^T-0001 \(unknown, multirotor, serial 1581F1\) is in apron \(protected\), 80 m above ground, at 12 m\/s, heading east\.$/,
  },
  { what: 'it is in a zone that only warns', tracks: one({ zones: [warning] }), raises: ['zone_entry'] },
  {
    what: 'the alarm of the zone does not ask for entries',
    tracks: one({ zones: [zoneFact({ alarm: { on: ['exit'], severity: 'warning' } })] }),
    raises: [],
  },
  {
    what: 'a zone that keeps our own vehicles in is no zone of alarms',
    tracks: one({ zones: [zoneFact({ kind: 'keep_in' }), zoneFact({ kind: 'ignore', id: 'x' })] }),
    raises: [],
  },
  {
    what: 'a friend that proved itself is in a protected zone',
    tracks: one({ ...friend, affiliationBasis: 'telemetry', zones: [zoneFact()] }),
    raises: [],
  },
  {
    what: 'one of ours whose telemetry fell silent is in it',
    tracks: one({ affiliation: 'unknown', named: false, assetId: 'asset-1', zones: [zoneFact()] }),
    raises: ['unidentified_in_protected_zone', 'zone_entry'],
    says: /identity of one of our assets\) is in apron \(protected\)(, | and nothing confirms that it is ours, )80 m above ground/,
  },
  {
    what: 'a friend that a person vouches for is in it',
    tracks: one({ ...friend, affiliationBasis: 'assignment', zones: [zoneFact()] }),
    raises: [],
  },
  {
    what: 'a friend by its own word alone is in it',
    tracks: one({ ...friend, affiliationBasis: 'remote_id', zones: [zoneFact()] }),
    raises: ['zone_entry'],
  },
  {
    what: 'a friend by its own word is in a zone that only warns',
    tracks: one({ ...friend, affiliationBasis: 'remote_id', zones: [warning] }),
    raises: [],
  },
  {
    what: 'a drone will be in a zone soon',
    tracks: one({ zones: [ahead] }),
    raises: ['zone_approach'],
    says: /will be in apron \(protected\) in about 40 s: 600 m away, closing at 15 m\/s\.$/,
  },
  {
    what: 'one in coasting will be in a zone soon',
    tracks: one({ state: 'coasting', zones: [ahead] }),
    raises: ['zone_approach'],
  },
  {
    what: 'a drone stays in a zone',
    tracks: one({ zones: [zoneFact({ dwelling: true, dwellS: 45, alarm: { on: ['dwell'], severity: 'notice' } })] }),
    raises: ['zone_dwell'],
    says: /stays in apron \(protected\), for 45 s now\.$/,
  },
  {
    what: 'one without a name is in a protected zone',
    tracks: one({ named: false, identities: [], zones: [zoneFact()] }),
    raises: ['unidentified_in_protected_zone', 'zone_entry'],
    says: /no identity\) is in apron \(protected\), .*Look at it now\.$/,
  },
  {
    what: 'one without a name is in a zone that only warns',
    tracks: one({ named: false, zones: [warning] }),
    raises: ['zone_entry'],
  },
  {
    what: 'one held to be hostile is in a protected zone, named or not',
    tracks: one({ affiliation: 'hostile', zones: [zoneFact()] }),
    raises: ['unidentified_in_protected_zone', 'zone_entry'],
  },
  {
    what: 'a bird is in a protected zone',
    tracks: one({ named: false, classification: [{ label: 'bird', confidence: 0.9 }], zones: [zoneFact()] }),
    raises: ['zone_entry'],
  },
  {
    what: 'what may be a bird is in it',
    tracks: one({ named: false, classification: [{ label: 'bird', confidence: 0.5 }], zones: [zoneFact()] }),
    raises: ['unidentified_in_protected_zone', 'zone_entry'],
  },
  {
    what: 'a drone that is found to lie',
    tracks: one(suspect),
    raises: ['suspect_remote_id'],
    says: /^The claims of .* are suspect: it jumped 300 m\. Do not rely on its position\.$/,
  },
  {
    what: 'a liar in a protected zone is told of as both',
    tracks: one({ ...suspect, zones: [zoneFact()] }),
    raises: ['suspect_remote_id', 'unidentified_in_protected_zone', 'zone_entry'],
  },
  {
    what: 'sixteen fakes from one transmitter, in a protected zone',
    tracks: together(16, () => ({ ...suspect, cooperative: 'coop_only', radios: ['a'], zones: [zoneFact()] })),
    raises: ['suspect_remote_id'],
    says: /^A flood of 16 aircraft .* from one transmitter/,
  },
  {
    what: 'our serial is heard where our aircraft is not',
    tracks: one({ ...suspect, clonedOf: { id: 'asset-1', name: 'Heron 2' } }),
    raises: ['friend_cloned'],
    says: /^The serial of Heron 2 is transmitted by another aircraft, T-0001: treat/,
  },
  {
    what: 'five come together',
    tracks: together(5),
    raises: ['swarm'],
    says: /^5 aircraft fly together .* 1\.0 km from apron \(protected\), closing at 5 m\/s/,
  },
  { what: 'four come together', tracks: together(4), raises: [] },
  {
    what: 'five that fly away',
    tracks: together(5, () => ({
      nearest: { id: 'apron', name: 'apron', zoneKind: 'protected', distanceM: 1_000, closingMps: -5 },
    })),
    raises: [],
  },
  { what: 'five of one group over kilometres', tracks: together(5, (i) => ({ latDeg: 48.2 + i * 0.01 })), raises: [] },
  { what: 'five of ours', tracks: together(5, () => ({ ...friend, affiliationBasis: 'telemetry' })), raises: [] },
  {
    what: 'a drone that hovers a kilometre away',
    tracks: one({ loiterS: 150 }),
    raises: ['loitering'],
    says: /stays within 200 m of one place, for 3 min now, 1\.0 km from apron \(protected\)/,
  },
  {
    what: 'a drone that circles comes nearer at the moment, which is no approach',
    tracks: one({
      loiterS: 150,
      nearest: { id: 'apron', name: 'apron', zoneKind: 'protected', distanceM: 1_000, closingMps: 8 },
    }),
    raises: ['loitering'],
    says: /for 3 min now, 1\.0 km from apron \(protected\)\.$/,
  },
  {
    what: 'a height that is known above the take-off place alone says so',
    tracks: one({ zones: [zoneFact()], heightAbove: 'takeoff' }),
    raises: ['zone_entry'],
    says: /is in apron \(protected\), 80 m above its take-off point, at 12 m\/s/,
  },
  { what: 'one that hovers far from everything', tracks: one({ loiterS: 150, nearest: null }), raises: [] },
  {
    what: 'one that a person holds to be neutral hovers',
    tracks: one({ loiterS: 150, affiliation: 'neutral' }),
    raises: [],
  },
  {
    what: 'an identity of another day',
    tracks: one({ visits: 2 }),
    raises: ['repeat_visitor'],
    says: /was here on 2 earlier days, 1\.0 km from apron \(protected\)/,
  },
  { what: 'a scheduled airliner', tracks: one({ visits: 40, crewed: true }), raises: [] },
  {
    what: 'a drone that comes down fast near the apron',
    tracks: one({ climbMps: -6 }),
    raises: ['rapid_descent'],
    says: /descends at 6 m\/s, 1\.0 km from apron \(protected\)/,
  },
  {
    what: 'one that comes down fast far away',
    tracks: one({
      climbMps: -6,
      nearest: { id: 'apron', name: 'apron', zoneKind: 'protected', distanceM: 4_000, closingMps: 0 },
    }),
    raises: [],
  },
  { what: 'an airliner on its way down', tracks: one({ climbMps: -8, crewed: true }), raises: [] },
  { what: 'one of which no climb is known', tracks: one({ climbMps: Number.NaN }), raises: [] },
  {
    what: 'a sensor is silent',
    sensors: [silent],
    raises: ['sensor_silent'],
    says: /^north mast is silent: no sign of life for over 60 s. It watches nothing now/,
  },
  {
    what: 'a link whose places for unproven sources are all taken',
    sensors: [{ ...silent, name: 'rid', state: 'degraded', isFull: true }],
    raises: ['sensor_table_full'],
    says: /^Link rid: all places for unproven sources are taken/,
  },
  { what: 'a sensor that was turned off', sensors: [{ ...silent, state: 'off' }], raises: [] },
  {
    what: 'a drone 100 m from a vehicle of ours',
    tracks: one({ near: near(100) }),
    raises: ['own_platform_close'],
    says: /^Heron 2 is 100 m from T-0001 .* Keep our vehicle clear\.$/,
  },
  {
    what: 'two vehicles of ours close to each other',
    tracks: one({ ...friend, affiliationBasis: 'telemetry', near: near(100) }),
    raises: [],
  },
  { what: 'a drone 400 m from a vehicle of ours', tracks: one({ near: near(400) }), raises: [] },
  {
    what: 'a helicopter a kilometre from a vehicle of ours',
    tracks: one({ crewed: true, near: near(1_000) }),
    raises: ['crewed_aircraft_near'],
    says: /^Crewed aircraft T-0001 .* is 1\.0 km from Heron 2.* Give way: order hold or return home in Fleet\.$/,
  },
  {
    what: 'a helicopter among strangers',
    tracks: one({
      crewed: true,
      near: [{ ...near(100)[0], trackId: 'x', label: 'T-0005', assetName: null, distanceM: 100, crewed: false }],
    }),
    raises: [],
  },
];

import t from 'tap';
import type { Flyer } from '../../../src/core/site/flyer.ts';
import type { ZoneValue } from '../../../src/core/site/site_plan.ts';
import { latLonOf } from '../../support/basics/place.ts';
import { beside, flyerOf, middle, told, ZoneSky, zoneOf } from '../../support/core/zone_site.ts';

/** At a second: metres east of the middle, and what else changes then; or another site, or the track's end. */
type Step = [
  atS: number,
  eastM: number,
  more?: Partial<Flyer> & { altHaeM?: number; eastMps?: number; site?: ZoneValue[]; end?: 'closed' | 'dropped' },
];
type Situation = { name: string; zones?: ZoneValue[]; steps: Step[]; told: string[] };

const fence = (more: object = {}): ZoneValue => zoneOf(more);
const level = { floor_m: 20, ceiling_m: 100 };
const unknownGround = { groundAltHaeM: () => null };
const NaNs = { altHaeM: Number.NaN };

/** The zone is a circle of 200 m; dwell after 30 s, an approach is 60 s, it has left 20 m outside, all as by default. */
const situations: Situation[] = [
  {
    name: 'it comes, enters, stays and goes',
    steps: [
      [0, 3_000, { eastMps: -20 }],
      [80, 1_390, { eastMps: -20 }],
      [81, 1_370, { eastMps: -20 }],
      [140, 190],
      [169, 0],
      [170, 0],
      [200, 0],
      [210, 215],
      [211, 221],
      [212, 400],
    ],
    told: ['80 approach fence', '140 enter fence', '170 dwell fence', '211 exit fence'],
  },
  {
    name: 'at the edge it neither comes nor goes while it is within the hysteresis',
    steps: [
      [0, 201],
      [1, 199],
      [2, 215],
      [3, 198],
      [4, 219],
      [5, 230],
      [6, 219],
      [7, 201],
      [8, 199],
    ],
    told: ['1 enter fence', '5 exit fence', '8 enter fence'],
  },
  {
    name: 'what passes by is no approach, nor what stands outside',
    steps: [
      [0, 1_000, { eastMps: 20 }],
      [1, 260],
      [60, 260],
    ],
    told: [],
  },
  {
    name: 'an approach that is broken off for a moment does not begin anew; one that was over does',
    steps: [
      [0, 1_000, { eastMps: -20 }],
      [1, 980, { eastMps: 20 }],
      [5, 980, { eastMps: -20 }],
      [6, 960, { eastMps: 20 }],
      [17, 960, { eastMps: 20 }],
      [18, 940, { eastMps: -20 }],
    ],
    told: ['0 approach fence', '18 approach fence'],
  },
  {
    name: 'a tentative track causes nothing; confirmed, it is told where it is found',
    steps: [
      [0, 300, { state: 'tentative' }],
      [1, 100, { state: 'tentative' }],
      [2, 100],
      [31, 100],
      [32, 100],
    ],
    told: ['2 enter fence (track)', '32 dwell fence'],
  },
  {
    name: 'what goes dark before the fence is told to have entered, but not to have left',
    steps: [
      [0, 260],
      [1, 150, { state: 'coasting' }],
      [5, 400, { state: 'coasting' }],
    ],
    told: ['0 approach fence', '1 enter fence'],
  },
  {
    name: 'what is lost in a zone stays there until it is closed, and is no longer said to dwell',
    steps: [
      [0, 500],
      [1, 0],
      [20, 0, { state: 'lost' }],
      [60, 800, { state: 'lost' }],
      [600, 800, { end: 'closed' }],
    ],
    told: ['1 enter fence', '600 exit fence (closed)'],
  },
  {
    name: 'what is lost in a zone and found in it has been there all the time',
    steps: [
      [0, 500],
      [1, 0],
      [20, 0, { state: 'lost' }],
      [60, 0, { state: 'lost' }],
      [61, 10],
    ],
    told: ['1 enter fence', '61 dwell fence'],
  },
  {
    name: 'what is lost in a zone and found outside it has left',
    steps: [
      [0, 500],
      [1, 0],
      [20, 0, { state: 'lost' }],
      [25, 900],
    ],
    told: ['1 enter fence', '25 exit fence'],
  },
  {
    name: 'what was lost before a zone does not enter it unseen',
    steps: [
      [0, 500],
      [1, 100, { state: 'lost' }],
      [2, 100, { end: 'closed' }],
    ],
    told: [],
  },
  {
    name: 'a track that a person drops has left, because it was dropped',
    steps: [
      [0, 500],
      [1, 0],
      [2, 0, { end: 'dropped' }],
    ],
    told: ['1 enter fence', '2 exit fence (dropped)'],
  },
  {
    name: 'over a ceiling it is outside, and its height has the same hysteresis',
    zones: [fence(level)],
    steps: [
      [0, 0, { altHaeM: 130 }],
      [1, 0, { altHaeM: 99 }],
      [2, 0, { altHaeM: 119 }],
      [3, 0, { altHaeM: 121 }],
      [4, 0, { altHaeM: 105 }],
      [5, 0, { altHaeM: 21 }],
      [6, 0, { altHaeM: 1 }],
      [7, 0, { altHaeM: -1 }],
    ],
    told: ['1 enter fence', '3 exit fence', '5 enter fence', '7 exit fence'],
  },
  {
    name: 'without any height it is inside what is protected',
    zones: [fence(level), fence({ id: 'warned', kind: 'warning', ...level }), fence({ id: 'alert', kind: 'alert' })],
    steps: [
      [0, 500, NaNs],
      [1, 0, NaNs],
    ],
    told: ['1 enter fence', '1 enter alert', '1 enter warned'],
  },
  {
    name: 'over ground of unknown height it is judged by what it says of its height, over take-off if need be',
    zones: [zoneOf(level, unknownGround)],
    steps: [
      [0, 0, { altHaeM: 60, heightTakeoffM: 300 }],
      [1, 0, { altHaeM: 900, heightTakeoffM: 90 }],
      [2, 0, { altHaeM: 900, heightTakeoffM: 10, altAglM: 110 }],
      [3, 0, { altHaeM: 60, heightTakeoffM: 10, altAglM: 121 }],
      [4, 0, { altHaeM: 60 }],
    ],
    told: ['1 enter fence', '3 exit fence', '4 enter fence'],
  },
  {
    name: 'of known ground, only the height over take-off is known of the track',
    zones: [zoneOf(level, { groundAltHaeM: () => 400 })],
    steps: [
      [0, 0, { ...NaNs, heightTakeoffM: 150 }],
      [1, 0, { ...NaNs, heightTakeoffM: 50 }],
      [2, 0, { altHaeM: 450, heightTakeoffM: 150 }],
      [3, 0, { altHaeM: 560, heightTakeoffM: 50 }],
    ],
    told: ['1 enter fence', '3 exit fence'],
  },
  {
    name: 'a zone that is taken away, disabled or drawn elsewhere under a track is why it is outside',
    steps: [
      [0, 0],
      [1, 0, { site: [] }],
      [2, 0, { site: [fence()] }],
      [3, 0, { site: [fence({ enabled: false, version: 2 })] }],
      [4, 0, { site: [fence({ version: 3 })] }],
      [5, 0, { site: [fence({ version: 4, geometry: { type: 'Point', coordinates: [25.5, 60], radius_m: 200 } })] }],
    ],
    told: [
      '0 enter fence (track)',
      '1 exit fence (zone)',
      '2 enter fence (zone)',
      '3 exit fence (zone)',
      '4 enter fence (zone)',
      '5 exit fence (zone)',
    ],
  },
  {
    name: 'a zone that only has another name keeps who is in it, and how long',
    steps: [
      [0, 500],
      [1, 0],
      [10, 0, { site: [fence({ name: 'renamed', version: 2 })] }],
      [31, 0],
    ],
    told: ['1 enter fence', '31 dwell fence'],
  },
  {
    name: 'a zone is left when its hours end, by whoever is in it, looked at or not',
    zones: [fence({ schedule: { from: '00:00', to: '00:01', days: ['thu'], tz: 'UTC' }, alarm: { dwell_s: 3_600 } })],
    steps: [
      [0, 500],
      [1, 0],
      [59, 0],
      [61, 0],
    ],
    told: ['1 enter fence', '61 exit fence (zone)'],
  },
  {
    name: 'a zone is about those whom it names: who becomes one of them is in it, who is none any more is out',
    zones: [fence({ applies_to: { affiliations: ['unknown', 'hostile'], cooperative: ['coop_only'] } })],
    steps: [
      [0, 0, { affiliation: 'friend' }],
      [1, 0],
      [2, 0, { affiliation: 'hostile' }],
      [3, 0, { affiliation: 'neutral' }],
      [4, 0, { affiliation: 'hostile', cooperative: 'both' }],
      [5, 0],
    ],
    told: ['1 enter fence (track)', '3 exit fence (track)', '5 enter fence (track)'],
  },
  {
    name: 'a protected zone for unknown tracks also applies to a friend by Remote ID alone, until telemetry proves it',
    zones: [
      fence({ applies_to: { affiliations: ['unknown', 'hostile'] } }),
      fence({ id: 'warned', kind: 'warning', applies_to: { affiliations: ['unknown'] } }),
      fence({ id: 'foes', applies_to: { affiliations: ['hostile'] } }),
    ],
    steps: [
      [0, 500, { affiliation: 'friend', affiliationBasis: 'remote_id' }],
      [1, 0, { affiliation: 'friend', affiliationBasis: 'remote_id' }],
      [31, 0, { affiliation: 'friend', affiliationBasis: 'remote_id' }],
      [32, 0, { affiliation: 'friend', affiliationBasis: 'telemetry' }],
      [33, 0, { affiliation: 'friend', affiliationBasis: 'remote_id' }],
      [34, 0, { affiliation: 'friend', affiliationBasis: 'assignment' }],
    ],
    told: [
      '1 enter fence',
      '31 dwell fence',
      '32 exit fence (track)',
      '33 enter fence (track)',
      '34 exit fence (track)',
    ],
  },
  {
    name: 'keep-out and keep-in say nothing of others',
    zones: [fence({ id: 'out', kind: 'keep_out' }), fence({ id: 'in', kind: 'keep_in' })],
    steps: [
      [0, 500],
      [1, 0],
      [40, 0],
      [41, 500],
    ],
    told: [],
  },
  {
    name: 'of our own it is told that they fly into a keep-out zone and leave a keep-in zone',
    zones: [fence({ id: 'out', kind: 'keep_out' }), fence({ id: 'in', kind: 'keep_in' })],
    steps: [
      [0, 500, { affiliation: 'friend' }],
      [1, 0, { affiliation: 'friend' }],
      [40, 0, { affiliation: 'friend' }],
      [41, 500, { affiliation: 'friend' }],
    ],
    told: ['1 enter out', '1 enter in', '40 dwell out', '41 exit out', '41 exit in'],
  },
  {
    name: 'what is ignored causes no event of the zone that ignores it',
    zones: [fence({ kind: 'ignore' })],
    steps: [
      [0, 500],
      [1, 0],
      [40, 0],
    ],
    told: [],
  },
];

for (const { name, zones, steps, told: expected } of situations) {
  t.test(name, async (t) => {
    const sky = new ZoneSky(zones ?? [fence()]);
    const found: string[] = [];
    for (const [atS, eastM, { altHaeM = 50, eastMps, site, end, ...more } = {}] of steps) {
      if (site) sky.set(site);
      const velocity = [eastMps ?? (eastM === 260 && atS === 0 ? -10 : 0), 0, 0] as const;
      const flyer = flyerOf(more);
      if (end) sky.watch.remove({ number: 1, reason: end }, atS * 1_000);
      const events = end
        ? sky.watch.takeEvents()
        : sky.look(flyer, { place: beside(eastM, 0), altHaeM, velocity }, atS * 1_000);
      found.push(...told(events).map((text) => `${atS} ${text}`));
    }
    t.same(found, expected);
  });
}

t.test('a track that becomes one with another leaves to it how long it was there', async (t) => {
  const sky = new ZoneSky([fence()]);
  const [one, other] = [flyerOf({ number: 1 }), flyerOf({ number: 2 })];
  sky.look(one, { place: middle }, 0);
  sky.look(other, { place: beside(900, 0) }, 0);
  sky.watch.remove({ number: 1, reason: 'merged', into: other.id }, 20_000);
  t.match(sky.watch.takeEvents(), [{ transition: 'exit', trackId: one.id, because: 'merged' }]);
  t.match(sky.look(other, { place: middle }, 20_000), [{ transition: 'enter', trackId: other.id, because: 'merged' }]);
  t.equal(sky.of(2).facts[0]?.dwellS, 20);
  t.match(sky.look(other, { place: middle }, 30_000), [{ transition: 'dwell', trackId: other.id }]);
  const third = flyerOf({ number: 3 });
  sky.look(third, { place: middle }, 31_000);
  sky.watch.remove({ number: 2, reason: 'merged', into: third.id }, 32_000);
  t.match(sky.watch.takeEvents(), [{ transition: 'exit', trackId: other.id, because: 'merged' }]);
  t.same(sky.look(third, { place: middle }, 33_000), [], 'it is in it already, and that one has been there was told');
  t.match(sky.of(3).facts[0], { dwellS: 33, dwelling: true });
});

t.test('facts say how a track stands to each zone that is about it', async (t) => {
  const sky = new ZoneSky([
    fence(),
    fence({ id: 'far', geometry: { type: 'Point', coordinates: [26, 60.17], radius_m: 200 } }),
    fence({ id: 'others', applies_to: { affiliations: ['hostile'] } }),
    fence({ id: 'mown', kind: 'ignore' }),
  ]);
  sky.look(flyerOf(), { place: beside(1_200, 0), velocity: [-20, 0, 0] }, 0);
  const [fact, ...more] = sky.of().facts;
  t.same(more, []);
  t.match(fact, { id: 'fence', inside: false, approaching: true, dwelling: false, dwellS: 0 });
  t.ok(Math.abs((fact?.etaS ?? 0) - 50) < 0.1 && Math.abs((fact?.distanceM ?? 0) - 1_000) < 1);
  t.notOk(sky.of().ignored);
  sky.look(flyerOf(), { place: middle }, 60_000);
  t.match(sky.of().facts[0], { id: 'fence', inside: true, approaching: false, etaS: 0 });
  t.ok(sky.of().ignored);
  t.same(sky.of().facts.find(({ id }) => id === 'mown')?.alarm.on, []);
  sky.look(flyerOf({ state: 'tentative', number: 2 }), { place: middle }, 60_000);
  t.match(sky.of(2), { ignored: true });
  t.match(sky.of(2).facts[0], { id: 'fence', inside: true, dwellS: 0 });
  sky.look(flyerOf(), { place: middle, altHaeM: Number.NaN }, 61_000);
  t.notOk(sky.of().ignored, 'what has no height is not ignored');
});

t.test('an event says what it goes by where no altitude is known', async (t) => {
  const sky = new ZoneSky([zoneOf(level, unknownGround)]);
  t.match(sky.look(flyerOf({ heightTakeoffM: 50 }), { place: middle }, 0), [{ height: 'takeoff' }]);
  t.match(sky.look(flyerOf({ number: 2, altAglM: 50 }), { place: middle }, 0), [{ height: 'altitude' }]);
  t.match(sky.look(flyerOf({ number: 3 }), { place: middle }, 0), [{ height: 'unknown' }]);
});

t.test('how long a track has been at an asset is known, and nothing happens there', async (t) => {
  const asset = { id: 'mast', name: 'Mast', ...latLonOf(middle), priority: 5, groundAltHaeM: Number.NaN };
  const sky = new ZoneSky([], [asset]);
  t.same(sky.look(flyerOf(), { place: beside(40, 0) }, 0), []);
  t.same(sky.look(flyerOf(), { place: beside(90, 0) }, 40_000), []);
  const [thing] = sky.site.protectedAreas;
  if (!thing) throw new Error('there is no asset');
  t.equal(sky.of().dwellS(thing, 40_000), 40);
  sky.look(flyerOf(), { place: beside(101, 0) }, 41_000);
  t.equal(sky.of().dwellS(thing, 41_000), 0);
  t.same(sky.of().facts, []);
});

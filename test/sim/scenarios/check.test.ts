import t from 'tap';
import { pathText } from '../../../src/model/issue.ts';
import { type ScenarioSpec, scenarioSpecSchema } from '../../../src/model/scenario.ts';
import { builtinDeps } from '../../../src/sim/scenarios/builtins.ts';
import { checkScenario } from '../../../src/sim/scenarios/check.ts';

type Part = Record<string, unknown>;
type Parts = { actors?: Part[]; sensors?: Part[]; [key: string]: unknown };

const at = (east_m = 0, north_m = 0): Part => ({ east_m, north_m });
const drone = (id: string, more: Part = {}): Part => ({ id, kind: 'drone', start: at(), ...more });
const heron = { id: 'heron', kind: 'asset', start: at(), mavlink: {} };
const radar = (id: string, more: Part = {}): Part => ({
  id,
  modality: 'radar',
  placement: { ...at(), max_range_m: 3_000 },
  ...more,
});

function specOf({ actors = [], sensors = [], ...more }: Parts): ScenarioSpec {
  const body = { name: 'x', duration_s: 100, origin: { lat: 52, lon: 4 }, actors, sensors, ...more };
  return scenarioSpecSchema.parse(body);
}

const said = (parts: Parts): string[] =>
  checkScenario(specOf(parts), builtinDeps).map(({ path, text }) => `${pathText(path)} ${text}`);

const square = [
  [4, 52],
  [4.01, 52],
  [4.01, 52.01],
  [4, 52.01],
  [4, 52],
];
const bow = [
  [4, 52],
  [4.01, 52.01],
  [4.01, 52],
  [4, 52.01],
  [4, 52],
];
const zone = (coordinates: unknown, more: Part = {}): Part => ({
  name: 'z',
  kind: 'protected',
  geometry: { type: 'Polygon', coordinates: [coordinates] },
  ...more,
});
const order = (more: Part): Part => ({ do: 'command', at_s: 5, asset: 'heron', ...more });
const pair = { actors: [drone('a'), heron] };

/** What is wrong, and where it is said. One fault each, unless there are several. */
const wrong: [what: string, parts: Parts, ...says: string[]][] = [
  [
    'an id of two actors',
    { actors: [drone('a'), drone('a')] },
    "actors[1].id is 'a', which is the id of actors[0] already",
  ],
  [
    'an id of an actor and a sensor',
    { actors: [drone('a')], sensors: [radar('a')] },
    "sensors[0].id is 'a', which is the id of actors[0] already",
  ],
  [
    'an id of a sensor that one of a swarm has',
    { actors: [{ ...drone('s'), kind: 'swarm', count: 3 }], sensors: [radar('s-2')] },
    "sensors[0].id is 's-2', which is the id of a member of s",
  ],
  [
    'an id of one of a swarm',
    { actors: [{ ...drone('s'), kind: 'swarm', count: 3 }, drone('s-2')] },
    "actors[1].id is 's-2', which is the id of a member of s",
  ],
  [
    'a swarm of nobody knows how many',
    { actors: [{ ...drone('s'), kind: 'swarm' }] },
    'actors[0].count is missing: a swarm needs the number of its members',
  ],
  [
    'a drone of several',
    { actors: [drone('a', { count: 3 })] },
    'actors[0].count is not allowed for a drone, only for swarm, spoofer',
  ],
  [
    'telemetry of a stranger',
    { actors: [drone('a', { mavlink: {} })] },
    'actors[0].mavlink is not allowed for a drone, only for asset',
  ],
  [
    'a bird with a transponder',
    { actors: [{ ...drone('a', { adsb: {} }), kind: 'bird' }] },
    'actors[0].adsb is not allowed for a bird, only for aircraft, asset, drone',
  ],
  [
    'a bird with rotors',
    { actors: [{ ...drone('a', { type: 'multirotor' }), kind: 'bird' }] },
    'actors[0].type is multirotor, which a bird is not',
  ],
  [
    'one that comes after the end',
    { actors: [drone('a', { appears_s: 100 })] },
    'actors[0].appears_s must be less than duration_s, which is 100',
  ],
  [
    'one that leaves before it comes',
    { actors: [drone('a', { appears_s: 50, leaves_s: 50 })] },
    'actors[0].leaves_s must be more than appears_s, which is 50',
  ],
  [
    'one that leaves after the end',
    { actors: [drone('a', { leaves_s: 101 })] },
    'actors[0].leaves_s must be at most duration_s, which is 100',
  ],
  [
    'one that hides after the end',
    { actors: [drone('a', { hidden: [{ from_s: 100, to_s: 120 }] })] },
    'actors[0].hidden[0].from_s is not within the scenario, which ends after 100 s',
  ],
  [
    'one that is silent after the end',
    { actors: [drone('a', { remote_id: { off: [{ from_s: 200, to_s: 220 }] } })] },
    'actors[0].remote_id.off[0].from_s is not within the scenario, which ends after 100 s',
  ],
  [
    'a drone as fast as an airliner',
    { actors: [drone('a', { route: [{ ...at(), speed_mps: 200 }] })] },
    'actors[0].route[0].speed_mps must be at most 80: no drone is faster; received 200',
  ],
  [
    'a bird as fast as a drone',
    { actors: [{ ...drone('a', { route: [{ ...at(), speed_mps: 41 }] }), kind: 'bird' }] },
    'actors[0].route[0].speed_mps must be at most 40: no bird is faster; received 41',
  ],
  [
    'one that flies faster than its model',
    { actors: [drone('a', { catalog: 'DJI Mavic 3', route: [{ ...at(), speed_mps: 30 }] })] },
    'actors[0].route[0].speed_mps must be at most 21: the aircraft cannot fly faster; received 30',
  ],
  [
    'one that flies faster than it says',
    {
      actors: [
        drone('a', { performance: { max_speed_mps: 5 }, behaviour: { kind: 'approach', target: at(), speed_mps: 6 } }),
      ],
    },
    'actors[0].behaviour.speed_mps must be at most 5: the aircraft cannot fly faster; received 6',
  ],
  [
    'one that stands on its way',
    { actors: [drone('a', { route: [{ ...at(), speed_mps: 0 }] })] },
    'actors[0].route[0].speed_mps must be more than 0: the aircraft would never arrive',
  ],
  [
    'a drone that can what no drone can',
    { actors: [drone('a', { performance: { max_speed_mps: 500, climb_rate_mps: 90 } })] },
    'actors[0].performance.max_speed_mps must be at most 80: no drone is faster; received 500',
    'actors[0].performance.climb_rate_mps must be at most 30: no drone climbs or descends faster; received 90',
  ],
  [
    'a drone as high as an airliner',
    { actors: [drone('a', { start: { ...at(), height_m: 12_000 } })] },
    'actors[0].start.height_m must be at most 10000: no drone flies higher; received 12000',
  ],
  [
    'one that is nowhere in the catalog',
    { actors: [drone('a', { catalog: 'Flying Carpet' })] },
    "actors[0].catalog names 'Flying Carpet', which is not in the catalog",
  ],
  [
    'a rover in the air',
    { actors: [drone('a', { catalog: 'ArduPilot Rover' })] },
    'actors[0].catalog names ArduPilot Rover, which does not fly',
  ],
  [
    'a route that there is none of',
    { actors: [drone('a', { behaviour: { kind: 'route' } })] },
    'actors[0].behaviour has the kind route, but the actor has no route',
  ],
  [
    'a formation with nobody',
    { actors: [drone('a', { behaviour: { kind: 'formation', with: 'wolf' } }), drone('wolf_1')] },
    "actors[0].behaviour.with names the actor 'wolf', which does not exist; did you mean wolf_1?",
  ],
  [
    'a flight from itself',
    { actors: [drone('a', { behaviour: { kind: 'evade', from: 'a' } })] },
    "actors[0].behaviour.from must name another actor than 'a' itself",
  ],
  [
    'two who follow each other',
    {
      actors: [
        drone('a', { behaviour: { kind: 'formation', with: 'b' } }),
        drone('b', { behaviour: { kind: 'orbit', target: { actor: 'a' }, radius_m: 50 } }),
      ],
    },
    'actors[0].behaviour cannot be flown, because actors follow each other in a circle: a follows b follows a',
  ],
  [
    'a ring that another leads into',
    {
      actors: [
        drone('x', { behaviour: { kind: 'formation', with: 'a' } }),
        drone('a', { behaviour: { kind: 'formation', with: 'b' } }),
        drone('b', { behaviour: { kind: 'formation', with: 'a' } }),
      ],
    },
    'actors[0].behaviour cannot be flown, because actors follow each other in a circle: a follows b follows a',
  ],
  [
    'a formation with a transmitter',
    {
      actors: [
        drone('a', { behaviour: { kind: 'formation', with: 's' } }),
        { ...drone('s'), kind: 'spoofer', count: 2 },
      ],
    },
    "actors[0].behaviour.with names the spoofer 's', with which no actor can fly in formation",
  ],
  [
    'a sensor that sees nothing',
    { sensors: [radar('r', { placement: { ...at(), max_range_m: 50, min_range_m: 50 } })] },
    'sensors[0].placement.max_range_m must be more than min_range_m, which is 50',
  ],
  [
    'an outage after the end',
    { sensors: [radar('r', { outages: [{ from_s: 100, to_s: 110 }] })] },
    'sensors[0].outages[0].from_s is not within the scenario, which ends after 100 s',
  ],
  [
    'more than may fly',
    { actors: [0, 1, 2].map((n) => ({ ...drone(`s${n}`), kind: 'swarm', count: 400 })) },
    'actors have 1200 aircraft with all members of swarms; at most 1000 may fly',
  ],
  [
    'an area that crosses itself',
    { zones: [zone(bow)] },
    'zones[0].geometry.coordinates[0] is a ring that crosses or touches itself: the edges from positions 0 and 2 meet',
  ],
  [
    'an area that is open',
    { zones: [zone(square.slice(0, 4))] },
    'zones[0].geometry.coordinates[0] is a ring that is not closed: its last position (index 3) must equal its first',
  ],
  [
    'an area without height',
    { zones: [zone(square, { floor_m: 50, ceiling_m: 50 })] },
    'zones[0].ceiling_m must be greater than floor_m, which is 50',
  ],
  [
    'two areas of one name',
    { zones: [zone(square), zone(square)] },
    'zones[1].name is the name of another zone of the scenario',
  ],
  [
    'an order after the end',
    { ...pair, orders: [order({ verb: 'land', at_s: 100 })] },
    'orders[0].at_s is not within the scenario, which ends after 100 s',
  ],
  [
    'an order to a stranger',
    { ...pair, orders: [order({ verb: 'land', asset: 'a' })] },
    "orders[0].asset names 'a', which takes no commands: only an actor of the kind asset with mavlink does",
  ],
  [
    'an order to nobody',
    { ...pair, orders: [order({ verb: 'land', asset: 'herons' })] },
    "orders[0].asset names the actor 'herons', which does not exist; did you mean heron?",
  ],
  [
    'an order without its object',
    { ...pair, orders: [order({ verb: 'goto' })] },
    'orders[0].verb does not fit: the verb goto takes point, not none',
  ],
  [
    'an order about two things',
    { ...pair, orders: [order({ verb: 'orbit', track_of: 'a', to: at() })] },
    'orders[0].to conflicts with track_of: give only one of params, track_of and to',
  ],
  [
    'an order about what it is not about',
    { ...pair, orders: [order({ verb: 'land', track_of: 'a' })] },
    'orders[0].track_of does not fit: the verb land takes none, not track',
  ],
  [
    'an order about an id that nobody knows yet',
    {
      ...pair,
      orders: [order({ verb: 'shadow', params: { kind: 'track', track_id: '11111111-2222-4333-8444-555555555555' } })],
    },
    'orders[0].params names the id of a track or asset, unknown before the run; use track_of with the id of an actor',
  ],
  [
    'an approval about nobody',
    { ...pair, orders: [{ do: 'approve_plan', at_s: 5, about: 'b' }] },
    "orders[0].about names the actor 'b', which does not exist; did you mean a?",
  ],
  [
    'an expectation of nobody',
    { ...pair, expect: [{ kind: 'threat', actor: 'zeppelin', at_least: 'high' }] },
    "expect[0].actor names the actor 'zeppelin', which does not exist",
  ],
  [
    'an expectation after the end',
    { ...pair, expect: [{ kind: 'alert', by_s: 101 }] },
    'expect[0].by_s is not within the scenario, which ends after 100 s',
  ],
  [
    'an expectation of anything',
    {
      ...pair,
      expect: [
        { kind: 'metric', metric: 'gospa_m' },
        { kind: 'threat', actor: 'a' },
      ],
    },
    'expect[0] needs at_least or at_most',
    'expect[1] needs at_least or at_most',
  ],
  [
    'an expectation that cannot be',
    { expect: [{ kind: 'metric', metric: 'gospa_m', at_least: 5, at_most: 4 }] },
    'expect[0].at_most must be at least at_least, which is 5',
  ],
  [
    'a rule that there is none of',
    { expect: [{ kind: 'alert', rule: 'zone_entri' }] },
    "expect[0].rule is 'zone_entri', and there is no such built-in rule; did you mean zone_entry?",
  ],
  [
    'a flag that there is none of',
    { ...pair, expect: [{ kind: 'flag', actor: 'a', flag: 'jumps' }] },
    "expect[0].flag is 'jumps', and there is no such flag of tracks; did you mean jump?",
  ],
  [
    'a task of what takes no commands',
    { ...pair, expect: [{ kind: 'task', asset: 'a', verb: 'orbit', about: 'b' }] },
    "expect[0].about names the actor 'b', which does not exist; did you mean a?",
    "expect[0].asset names 'a', which takes no commands: only an actor of the kind asset with mavlink does",
  ],
  [
    'a station of what ends',
    { ...pair, expect: [{ kind: 'task', asset: 'heron', verb: 'goto', is: 'on_station' }] },
    'expect[0].is does not fit: the verb goto ends by itself; only orbit, shadow, escort, look_at stay on station',
  ],
  [
    'two that are one',
    { ...pair, expect: [{ kind: 'apart', actors: ['a', 'a'], at_least_m: 5 }] },
    'expect[0].actors must name two different actors',
  ],
];

wrong.push([
  'a nearness before it counts',
  { ...pair, expect: [{ kind: 'near', actor: 'a', to: at(), within_m: 5, from_s: 50, by_s: 50 }] },
  'expect[0].by_s must be more than from_s, which is 50',
]);

t.test('what does not fit together is said, each fault by its path', async (t) => {
  for (const [what, parts, ...says] of wrong) t.same(said(parts), says, what);
});

t.test('the loudest sensor is named where there is more than the box takes', async (t) => {
  const actors = [{ ...drone('s'), kind: 'swarm', count: 250 }];
  const quick = radar('quick', { period_s: 0.1, false_per_scan: 250 });
  const sensors = [
    radar('slow'),
    quick,
    { ...quick, id: 'again', false_per_scan: 249 },
    { ...quick, id: 'third', false_per_scan: 0 },
  ];
  t.same(said({ actors, sensors: sensors.slice(0, 2) }), []);
  t.same(said({ actors, sensors }), [
    'sensors[1].period_s is too short: all sensors together would send 12740 messages per second; the limit is 10000; the largest share, 5000, comes from quick',
  ]);
});

t.test('what can be flown is taken: chains, mutual approach, whoever flees from whom follows', async (t) => {
  const actors = [
    drone('a', { behaviour: { kind: 'formation', with: 'b' } }),
    drone('b', { behaviour: { kind: 'formation', with: 'c' } }),
    drone('c', { behaviour: { kind: 'approach', target: { actor: 'd' } } }),
    drone('d', { behaviour: { kind: 'evade', from: 'c' } }),
    { ...heron, catalog: 'ArduPilot Quad' },
    { id: 'dock', kind: 'asset', catalog: 'DJI Dock 2', start: at() },
    { ...drone('claims'), kind: 'spoofer', count: 20, route: [{ ...at(), speed_mps: 200 }] },
  ];
  const orders = [
    order({ verb: 'takeoff', params: { kind: 'value', height_m: 40 } }),
    order({ verb: 'goto', to: at(100) }),
    order({ verb: 'shadow', track_of: 'a' }),
    order({ verb: 'escort', track_of: 'heron' }),
    order({ verb: 'land' }),
    { do: 'approve_plan', at_s: 50, about: 'a' },
    { do: 'approve_plan', at_s: 60, about: 'a', response: 'investigate' },
  ];
  const expect = [{ kind: 'task', asset: 'heron', verb: 'shadow', about: 'a', is: 'on_station' }];
  t.same(said({ actors, orders, expect, sensors: [radar('r', { outages: [{ from_s: 90, to_s: 200 }] })] }), []);
});

t.test('a name of several models is refused with their names', async (t) => {
  const ambiguous = { actors: [drone('a', { catalog: 'Quad' })] };
  t.match(said(ambiguous), [
    /^actors\[0\].catalog names 'Quad': the name 'Quad' fits several models of the catalog: .*use one of these names$/,
  ]);
});

t.test('five hundred in a row and in a ring are soon looked through', async (t) => {
  const row = Array.from({ length: 500 }, (_, i) =>
    drone(`d${i}`, { behaviour: { kind: 'formation', with: `d${(i + 1) % 500}` } }),
  );
  t.match(said({ actors: row }), [
    /^actors\[0\].behaviour cannot be flown, because actors follow each other in a circle: d0 follows d1 /,
  ]);
  t.same(said({ actors: [...row.slice(0, 499), drone('d499')] }), []);
});

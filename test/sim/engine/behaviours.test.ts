import t from 'tap';
import { Site } from '../../../src/sim/kernel/site.ts';
import type { Engine, TruePlace } from '../../../src/sim/runs/engine.ts';
import { engineOf, run } from '../../support/sim/scenario_engine.ts';

const site = new Site({ lat: 52.1, lon: 4.3, alt_hae_m: 45 });

type Spot = { east: number; north: number; height: number; speed: number; airborne: boolean };

/** Where an actor is, in the scenario's metres. */
function spotOf(engine: Engine, id: string): Spot {
  const point = engine.truth().find((one) => one.id === id) as TruePlace;
  const { eastM: east, northM: north, upM: up } = site.frame.toEnu(point.latDeg, point.lonDeg, point.altHaeM);
  const speed = Math.hypot(point.eastMps, point.northMps);
  return { east, north, height: up - site.upOf(east, north, 0), speed, airborne: point.airborne };
}

const apart = (a: Spot, b: Pick<Spot, 'east' | 'north'>): number => Math.hypot(a.east - b.east, a.north - b.north);
const start = { east_m: 0, north_m: 0, height_m: 50 };
const leader = {
  ...{
    id: 'leader',
    kind: 'drone',
    start: { east_m: 0, north_m: 200, height_m: 80 },
    behaviour: { kind: 'route', repeat: true },
  },
  route: [
    { east_m: 600, north_m: 200, speed_mps: 8 },
    { east_m: 600, north_m: -400 },
    { east_m: -300, north_m: -400 },
    { east_m: 0, north_m: 200 },
  ],
};

t.test('a route is flown from place to place, with its waits, and what has no more to do stays', async (t) => {
  const route = [
    { east_m: 200, north_m: 0, height_m: 90, speed_mps: 10, wait_s: 15 },
    { east_m: 200, north_m: 150, height_m: 40 },
  ];
  const engine = engineOf({ actors: [{ id: 'it', kind: 'drone', start: { east_m: 0, north_m: 0 }, route }] });
  let waited = 0;
  run(engine, 90, () => {
    const spot = spotOf(engine, 'it');
    if (apart(spot, { east: 200, north: 0 }) < 3 && spot.speed < 0.5) waited += 0.1;
  });
  t.ok(waited > 13 && waited < 18, `it waited ${waited.toFixed(1)} s`);
  const end = spotOf(engine, 'it');
  t.ok(apart(end, { east: 200, north: 150 }) < 2 && Math.abs(end.height - 40) < 1 && end.speed < 0.2);
});

t.test('a repeated route is flown again and again', async (t) => {
  const engine = engineOf({ actors: [leader] });
  const visits = new Set<number>();
  run(engine, 900, (atS) => {
    if (apart(spotOf(engine, 'leader'), { east: 600, north: 200 }) < 10) visits.add(Math.round(atS / 60));
  });
  t.ok(visits.size >= 3, `it came by in the minutes ${[...visits]}`);
});

for (const type of ['multirotor', 'fixed_wing'] as const) {
  t.test(`a ${type} keeps the circle it is told, in wind too`, async (t) => {
    const actor = { ...{ id: 'it', kind: 'drone', type, start: { east_m: -500, north_m: 0, height_m: 90 } } };
    const behaviour = {
      kind: 'orbit',
      target: { east_m: 0, north_m: 100 },
      radius_m: 150,
      speed_mps: 15,
      height_m: 100,
    };
    const engine = engineOf({ actors: [{ ...actor, behaviour }], wind: { speed_mps: 5, from_deg: 200 } });
    let [least, most] = [Number.POSITIVE_INFINITY, 0];
    run(engine, 200, (atS) => {
      if (atS < 90) return;
      const off = apart(spotOf(engine, 'it'), { east: 0, north: 100 });
      [least, most] = [Math.min(least, off), Math.max(most, off)];
    });
    t.ok(least > 135 && most < 165, `${least.toFixed(0)} to ${most.toFixed(0)} m`);
  });
}

t.test('who approaches an actor gets to it, though it flees slower', async (t) => {
  const hunter = {
    ...{ id: 'hunter', kind: 'drone', start },
    behaviour: { kind: 'approach', target: { actor: 'leader' }, speed_mps: 16 },
  };
  const engine = engineOf({ actors: [leader, hunter] });
  let nearest = Number.POSITIVE_INFINITY;
  run(engine, 120, () => {
    nearest = Math.min(nearest, apart(spotOf(engine, 'hunter'), spotOf(engine, 'leader')));
  });
  t.ok(nearest < 25, `it came to ${nearest.toFixed(0)} m`);
});

t.test('who evades is never caught by what is slower, and stays where it is when left alone', async (t) => {
  const prey = {
    id: 'prey',
    kind: 'drone',
    start: { ...start, east_m: 150 },
    behaviour: { kind: 'evade', from: 'hunter', within_m: 200 },
  };
  const hunter = {
    ...{
      id: 'hunter',
      kind: 'drone',
      performance: { max_speed_mps: 10 },
      start: { ...start, east_m: -200 },
      leaves_s: 120,
    },
    behaviour: { kind: 'approach', target: { actor: 'prey' }, speed_mps: 10 },
  };
  const engine = engineOf({ actors: [prey, hunter] });
  let nearest = Number.POSITIVE_INFINITY;
  run(engine, 119, () => {
    nearest = Math.min(nearest, apart(spotOf(engine, 'prey'), spotOf(engine, 'hunter')));
  });
  t.ok(nearest > 120, `it was ${nearest.toFixed(0)} m away`);
  run(engine, 0);
  engine.advance(Date.parse('2026-06-01T10:04:00.000Z'));
  t.ok(spotOf(engine, 'prey').speed < 0.5);
});

t.test('formation is kept round corners, on the side that was told', async (t) => {
  const wing = {
    ...{ id: 'wing', kind: 'drone', start: { ...start, north_m: 150 } },
    behaviour: { kind: 'formation', with: 'leader', right_m: 30, ahead_m: -20, above_m: 10 },
  };
  const engine = engineOf({ actors: [wing, leader] });
  let sum = 0;
  let count = 0;
  run(engine, 300, (atS) => {
    if (atS < 60) return;
    const [one, two] = [spotOf(engine, 'wing'), spotOf(engine, 'leader')];
    sum += Math.abs(apart(one, two) - Math.hypot(30, 20));
    count++;
  });
  t.ok(sum / count < 8, `it was off by ${(sum / count).toFixed(1)} m on average`);
  t.ok(Math.abs(spotOf(engine, 'wing').height - spotOf(engine, 'leader').height - 10) < 2);
});

t.test('a swarm flies as one, and each of it is known by its number', async (t) => {
  const swarm = {
    ...{ id: 'swarm', kind: 'swarm', count: 9, spacing_m: 20, start },
    route: [{ east_m: 600, north_m: 300 }],
  };
  const engine = engineOf({ actors: [swarm] });
  run(engine, 100);
  const spots = Array.from({ length: 9 }, (_, i) => spotOf(engine, `swarm-${i + 1}`));
  t.same(new Set(engine.truth().map(({ id }) => id)).size, 9);
  for (const [i, one] of spots.entries())
    for (const two of spots.slice(i + 1)) if (apart(one, two) < 15) t.fail(`two are ${apart(one, two)} m apart`);
  const middle = spots[4] as Spot;
  t.ok(apart(middle, { east: 600, north: 300 }) < 3);
});

t.test('what is told to land comes down where it is, and what has flown as long as it can does too', async (t) => {
  const lands = {
    id: 'lands',
    kind: 'drone',
    start,
    route: [{ east_m: 100, north_m: 0 }],
    behaviour: { kind: 'land' },
  };
  const tires = {
    id: 'tires',
    kind: 'drone',
    start,
    performance: { endurance_s: 40 },
    behaviour: { kind: 'loiter', radius_m: 30 },
  };
  const wings = { id: 'wings', kind: 'drone', type: 'fixed_wing', start, behaviour: { kind: 'land' } };
  const engine = engineOf({ actors: [lands, tires, wings], wind: { speed_mps: 4, from_deg: 10, gusts_mps: 2 } });
  run(engine, 120);
  for (const id of ['lands', 'tires', 'wings']) t.match(spotOf(engine, id), { airborne: false, speed: 0 });
  t.ok(apart(spotOf(engine, 'lands'), { east: 100, north: 0 }) < 5);
});

t.test('actors come and go when they are told, and are seen as hidden while they hide', async (t) => {
  const actor = { id: 'it', kind: 'drone', start, appears_s: 5, leaves_s: 20, hidden: [{ from_s: 10, to_s: 12 }] };
  const engine = engineOf({ actors: [actor] });
  const seen: string[] = [];
  run(engine, 25, (atS) => {
    const { visible, airborne } = engine.truth()[0] as TruePlace;
    const word = `${visible ? 'visible' : 'unseen'} ${airborne ? 'flying' : 'gone'}`;
    if (seen.at(-1)?.startsWith(word)) return;
    seen.push(`${word} from ${Math.round(atS)}`);
  });
  t.same(seen, [
    'unseen gone from 0',
    'visible flying from 5',
    'unseen flying from 10',
    'visible flying from 12',
    'unseen gone from 20',
  ]);
});

t.test('what flies level does so 100 km away too', async (t) => {
  const route = [{ east_m: 100_000, north_m: 0, height_m: 3_000 }];
  const airliner = { id: 'it', kind: 'aircraft', start: { east_m: 60_000, north_m: 0, height_m: 3_000 }, route };
  const engine = engineOf({ actors: [airliner] });
  let off = 0;
  run(engine, 300, () => {
    off = Math.max(off, Math.abs((engine.truth()[0]?.altHaeM ?? 0) - 3_045));
  });
  t.ok(off < 5, `it was off by ${off.toFixed(2)} m`);
});

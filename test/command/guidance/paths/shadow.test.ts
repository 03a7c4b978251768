import fc from 'fast-check';
import t from 'tap';
import { shadowStep } from '../../../../src/command/guidance/paths/shadow.ts';
import type { Step } from '../../../../src/command/guidance/paths/vehicle.ts';
import { localLegOf } from '../../../../src/command/safety/move.ts';
import { standoffRefusal } from '../../../../src/command/safety/standoff.ts';
import type { Spot } from '../../../../src/geo/position.ts';
import { onlyInFull } from '../../../support/basics/patience.ts';
import { seedOf } from '../../../support/basics/seed.ts';
import { sized } from '../../../support/basics/size.ts';
import { courseFor, fly, type Ground, type Mass, spotOn, VIENNA, vehicleFor } from '../../../support/fleet/guided.ts';

onlyInFull(t);

const STANDOFF_M = 100;
const DT_S = 0.1;
const EDGE_M = 0.5;
type Speeds = { cruiseMps: number; maxMps: number; minMps: number };
const copter: Speeds = { cruiseMps: 12, maxMps: 22.5, minMps: 0 };

/** How a target turns, degrees a second, at a moment. */
type Pilot = (inS: number, target: Mass, vehicle: Mass) => number;

type Flight = {
  least: number;
  most: number;
  meanM: number;
  shareNear: number;
  refused: number;
  breaches: number;
  last: Step;
};

/** Ten minutes: steered once a second, by what was true half a second ago, flown ten times a second. */
function shadow(
  pilot: Pilot,
  begin: Mass,
  speedMps: number,
  speeds: Speeds,
  seconds = 600,
  ground: Ground = VIENNA,
): Flight {
  const target: Mass = { at: [0, 0], velocity: [0, speedMps] };
  const vehicle: Mass = { ...begin };
  const settings = { standoffM: STANDOFF_M };
  let [least, most, near, refused, breaches, sum] = [Number.POSITIVE_INFINITY, 0, 0, 0, 0, 0];
  let step: Step | null = null;
  let to: Spot = vehicle.at;
  let seen: Mass = { ...target };
  for (let i = 0; i < seconds / DT_S; i++) {
    if (i % 10 === 5) seen = { ...target };
    if (i % 10 === 0) {
      const course = courseFor(ground, {
        at: [seen.at[0] + seen.velocity[0] / 2, seen.at[1] + seen.velocity[1] / 2],
        velocity: seen.velocity,
      });
      const craft = vehicleFor(ground, vehicle, speeds);
      step = shadowStep(craft, course, settings);
      if (standoffRefusal(localLegOf({ from: craft.position, to: step.point }), course, STANDOFF_M)) refused++;
      if (step.breach) breaches++;
      to = spotOn(ground, step.point);
    }
    if (step) fly(vehicle, step, to, speeds, DT_S);
    const turn = ((pilot(i * DT_S, target, vehicle) * Math.PI) / 180) * DT_S;
    const [x, y] = target.velocity;
    target.velocity = [x * Math.cos(turn) - y * Math.sin(turn), x * Math.sin(turn) + y * Math.cos(turn)];
    target.at = [target.at[0] + target.velocity[0] * DT_S, target.at[1] + target.velocity[1] * DT_S];
    const apart = Math.hypot(vehicle.at[0] - target.at[0], vehicle.at[1] - target.at[1]);
    least = Math.min(least, apart);
    if (i * DT_S < 60) continue;
    most = Math.max(most, apart);
    sum += apart;
    if (apart <= 1.5 * STANDOFF_M) near++;
  }
  if (!step) throw new Error('it was never steered');
  const looks = (seconds - 60) / DT_S;
  return { least, most, meanM: sum / looks, shareNear: near / looks, refused, breaches, last: step };
}

function turner(rates: readonly number[], everyS: number): Pilot {
  return (inS) => rates[Math.floor(inS / everyS) % rates.length] ?? 0;
}

/** Turns as fast as it may toward the vehicle. */
const chaser =
  (most: number): Pilot =>
  (_, { at, velocity }, vehicle) => {
    const [x, y] = [vehicle.at[0] - at[0], vehicle.at[1] - at[1]];
    const off = Math.atan2(velocity[0] * y - velocity[1] * x, velocity[0] * x + velocity[1] * y);
    return Math.max(-most, Math.min(most, (off * 180) / Math.PI / DT_S));
  };

for (const [name, pilot] of [
  ['straight', turner([0], 10)],
  ['in a circle', turner([12], 10)],
  ['in a tight circle', turner([-30], 10)],
  ['to and fro', turner([0, 20, 0, -20, 0, 36], 5)],
  ['after the vehicle', chaser(25)],
] as const) {
  t.test(`the standoff from a target that flies ${name} at 15 m/s is never broken in ten minutes`, async (t) => {
    for (const at of [
      [0, -300],
      [0, 400],
      [200, 100],
      [-160, 0],
    ] as Spot[]) {
      const flight = shadow(pilot, { at, velocity: [0, 0] }, 15, copter);
      t.comment(JSON.stringify({ at, ...flight, last: undefined }));
      t.ok(flight.least >= STANDOFF_M, `${flight.least} m`);
      t.equal(flight.refused, 0);
      t.equal(flight.breaches, 0);
      // What it may turn to us from is what it is kept from: copters brake slowly, and so have to keep off the farther.
      t.ok(flight.meanM < 3.5 * STANDOFF_M, `${flight.meanM} m on average`);
    }
  });
}

t.test('nor by one that turns as it likes', async (t) => {
  const rates = fc.array(fc.integer({ min: -30, max: 30 }), { minLength: 1, maxLength: 12 });
  const begins = fc.tuple(fc.integer({ min: -500, max: 500 }), fc.integer({ min: -500, max: 500 }));
  let near = 0;
  let runs = 0;
  const property = fc.property(
    rates,
    fc.integer({ min: 2, max: 20 }),
    begins,
    fc.integer({ min: 0, max: 15 }),
    (turns, every, at, speed) => {
      fc.pre(Math.hypot(...at) > 300);
      const flight = shadow(turner(turns, every), { at, velocity: [0, 0] }, speed, copter, 300);
      runs++;
      near += flight.meanM;
      return flight.least >= STANDOFF_M && flight.refused === 0;
    },
  );
  t.doesNotThrow(() => fc.assert(property, { seed: seedOf(t), numRuns: sized(40), endOnFailure: true }));
  t.comment(`${near / runs} m off on average`);
  t.ok(near / runs < 2.5 * STANDOFF_M);
});

const scenes = fc.record({
  vehicle: fc.tuple(fc.integer({ min: -400, max: 400 }), fc.integer({ min: -400, max: 400 })),
  own: fc.tuple(fc.integer({ min: -15, max: 15 }), fc.integer({ min: -15, max: 15 })),
  target: fc.tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: -20, max: 20 })),
  minMps: fc.constantFrom(0, 0, 14),
});

t.test('no way to a point comes nearer to where the target will be, wherever both are', async (t) => {
  const property = fc.property(scenes, ({ vehicle, own, target, minMps }) => {
    const course = courseFor(VIENNA, { at: [0, 0], velocity: target });
    const craft = vehicleFor(VIENNA, { at: vehicle, velocity: own }, { cruiseMps: 16, maxMps: 24, minMps });
    const step = shadowStep(craft, course, { standoffM: STANDOFF_M });
    return standoffRefusal(localLegOf({ from: craft.position, to: step.point }), course, STANDOFF_M) === null;
  });
  t.doesNotThrow(() => fc.assert(property, { seed: seedOf(t), numRuns: sized(3_000), endOnFailure: true }));
});

t.test('it steers alike wherever on earth it is, and however the world is turned', async (t) => {
  const grounds: Ground[] = [
    { latDeg: 10, lonDeg: 180, turnDeg: 0 },
    { latDeg: 80, lonDeg: 10, turnDeg: 0 },
    { latDeg: 89.999, lonDeg: 10, turnDeg: 40 },
    { latDeg: 48.2, lonDeg: 16.37, turnDeg: 117 },
    { latDeg: -60, lonDeg: -179.999, turnDeg: 250 },
  ];
  const property = fc.property(scenes, fc.constantFrom(...grounds), ({ vehicle, own, target }, ground) => {
    const side = target[0] * vehicle[1] - target[1] * vehicle[0];
    // With two ways of one length either may be taken.
    fc.pre(
      Math.hypot(...vehicle) > 5 &&
        Math.hypot(...own) > 0 &&
        Math.abs(side) > 1e-3 * Math.hypot(...target) * Math.hypot(...vehicle),
    );
    const steered = (where: Ground, at: Spot): Spot => {
      const course = courseFor(where, { at: [0, 0], velocity: target });
      const craft = vehicleFor(where, { at, velocity: own }, { cruiseMps: 16, maxMps: 24, minMps: 0 });
      return spotOn(where, shadowStep(craft, course, { standoffM: STANDOFF_M }).point);
    };
    const [x, y] = vehicle;
    const there = steered(ground, vehicle);
    const isLike = (at: Spot, withinM: number): boolean => {
      const here = steered(VIENNA, at);
      return Math.hypot(here[0] - there[0], here[1] - there[1]) < withinM;
    };
    // Half a metre from a place where another way is taken, that other may be taken elsewhere on earth.
    const beside: Spot[] = [
      [x + EDGE_M, y],
      [x - EDGE_M, y],
      [x, y + EDGE_M],
      [x, y - EDGE_M],
    ];
    return isLike(vehicle, 0.1) || beside.some((at) => isLike(at, 3 * EDGE_M));
  });
  t.doesNotThrow(() => fc.assert(property, { seed: seedOf(t), numRuns: sized(1_000), endOnFailure: true }));
});

t.test('what flies slowly is kept within twice the standoff', async (t) => {
  for (const [speed, at] of [
    [0, [0, 400]],
    [3, [300, 0]],
    [6, [200, 100]],
  ] as [number, Spot][]) {
    const flight = shadow(turner([0, 10, 0, -15], 12), { at, velocity: [0, 0] }, speed, copter, 300);
    t.comment(JSON.stringify({ speed, ...flight, last: undefined }));
    t.ok(
      flight.least >= STANDOFF_M && flight.meanM < 2 * STANDOFF_M,
      `${flight.least} m, ${flight.meanM} m on average`,
    );
  }
});

t.test('what is inside the standoff gives way, and says so', async (t) => {
  const course = courseFor(VIENNA, { at: [0, 0], velocity: [0, 10] });
  const step = shadowStep(vehicleFor(VIENNA, { at: [10, 60], velocity: [0, 0] }, copter), course, {
    standoffM: STANDOFF_M,
  });
  t.match(step, { phase: 'giving_way', breach: true, speedMps: 22.5 });
  const ahead = shadowStep(vehicleFor(VIENNA, { at: [10, 160], velocity: [0, 0] }, copter), course, {
    standoffM: STANDOFF_M,
  });
  t.match(ahead, { phase: 'giving_way', breach: false });
  const high = shadowStep(vehicleFor(VIENNA, { at: [300, 0], velocity: [0, 0] }, copter), course, {
    ...{ standoffM: STANDOFF_M, heightOffsetM: 500, highestHaeM: 180 },
  });
  t.equal(high.point.altHaeM, 180, 'never higher than it may');
  const blind = courseFor(VIENNA, { at: [0, 0], velocity: [0, 10] }, null);
  const own = vehicleFor(VIENNA, { at: [300, 0], velocity: [0, 0] }, copter);
  t.equal(
    shadowStep(own, blind, { standoffM: STANDOFF_M, heightOffsetM: 30 }).point.altHaeM,
    100,
    'nor where nobody knows how high',
  );
});

t.test('a fixed wing circles beside what it shadows', async (t) => {
  const plane: Speeds = { cruiseMps: 20, maxMps: 26, minMps: 16 };
  for (const speed of [0, 8]) {
    const flight = shadow(turner([0, 10, 0, -10], 20), { at: [400, 0], velocity: [0, 16] }, speed, plane);
    t.comment(JSON.stringify({ speed, ...flight, last: undefined }));
    t.ok(flight.least >= STANDOFF_M, `${flight.least} m`);
    t.ok(flight.most < 550, `${flight.most} m`);
  }
});

t.test('where nothing is free to fly to, it waits while the track is far off, and gives way when that is near', (t) => {
  const settings = { standoffM: STANDOFF_M, isFree: () => false };
  const step = (northM: number): Step => {
    const course = courseFor(VIENNA, { at: [0, northM], velocity: [0, 0] });
    return shadowStep(vehicleFor(VIENNA, { at: [0, 0], velocity: [0, 0] }, copter), course, settings);
  };
  const far = step(900);
  t.equal(far.phase, 'going');
  const [eastM, northM] = spotOn(VIENNA, far.point);
  t.ok(Math.hypot(eastM, northM) < 0.1, 'where it is');
  t.equal(step(105).phase, 'giving_way');
  t.end();
});

import fc from 'fast-check';
import t from 'tap';
import { orbitStep, orbitTrackStep } from '../../../../src/command/guidance/paths/orbit.ts';
import { localLegOf } from '../../../../src/command/safety/move.ts';
import { standoffRefusal } from '../../../../src/command/safety/standoff.ts';
import type { Spot } from '../../../../src/geo/position.ts';
import { seedOf } from '../../../support/basics/seed.ts';
import { sized } from '../../../support/basics/size.ts';
import {
  courseFor,
  fly,
  type Ground,
  type Mass,
  placeOn,
  spotOn,
  VIENNA,
  vehicleFor,
} from '../../../support/fleet/guided.ts';

const DT_S = 0.1;
const grounds: Ground[] = [
  VIENNA,
  { latDeg: 10, lonDeg: 180, turnDeg: 0 },
  { latDeg: 80, lonDeg: 10, turnDeg: 30 },
  { latDeg: -89.99, lonDeg: 7, turnDeg: 0 },
];

t.test('a vehicle that flies toward the points keeps the radius within a tenth, round as it was told', async (t) => {
  const radii = fc.integer({ min: 40, max: 500 });
  const begins = fc.tuple(fc.integer({ min: -600, max: 600 }), fc.integer({ min: -600, max: 600 }));
  const property = fc.property(
    radii,
    begins,
    fc.boolean(),
    fc.integer({ min: 4, max: 14 }),
    fc.constantFrom(...grounds),
    (radiusM, at, clockwise, wanted, ground) => {
      // Faster than it can turn nobody keeps a circle.
      const speedMps = Math.min(wanted, Math.sqrt(1.5 * radiusM));
      const speeds = { cruiseMps: speedMps, maxMps: 20, minMps: 0 };
      const vehicle: Mass = { at, velocity: [0, 0] };
      const centre = { ...placeOn(ground, [0, 0]), altHaeM: 120 };
      const orbiting = { radiusM, direction: clockwise ? 'clockwise' : 'counter_clockwise', speedMps } as const;
      let to: Spot = at;
      let [least, most, swept] = [Number.POSITIVE_INFINITY, 0, 0];
      const settled = 60 + Math.hypot(...at) / speedMps + (2 * radiusM) / speedMps;
      let step = orbitStep(vehicleFor(ground, vehicle, speeds), centre, orbiting);
      for (let i = 0; i < (settled + 120) / DT_S; i++) {
        if (i % 10 === 0) {
          step = orbitStep(vehicleFor(ground, vehicle, speeds), centre, orbiting);
          to = spotOn(ground, step.point);
        }
        const before = Math.atan2(vehicle.at[1], vehicle.at[0]);
        fly(vehicle, step, to, speeds, DT_S);
        if (i * DT_S < settled) continue;
        const turn = Math.atan2(vehicle.at[1], vehicle.at[0]) - before;
        swept += Math.atan2(Math.sin(turn), Math.cos(turn));
        const off = Math.hypot(...vehicle.at);
        [least, most] = [Math.min(least, off), Math.max(most, off)];
      }
      const round = (clockwise ? -1 : 1) * swept * radiusM;
      return least > 0.9 * radiusM && most < 1.1 * radiusM && round > 60 * speedMps && step.phase === 'on_station';
    },
  );
  t.doesNotThrow(() => fc.assert(property, { seed: seedOf(t), numRuns: sized(60), endOnFailure: true }));
});

t.test('round a track it keeps off all that is ahead of it, however it flies', async (t) => {
  const flights = fc.record({
    at: fc.tuple(fc.integer({ min: -500, max: 500 }), fc.integer({ min: -500, max: 500 })),
    speed: fc.integer({ min: 0, max: 12 }),
    rates: fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 1, maxLength: 6 }),
  });
  let refused = 0;
  const property = fc.property(flights, ({ at, speed, rates }) => {
    fc.pre(Math.hypot(...at) > 300);
    const speeds = { cruiseMps: 14, maxMps: 22.5, minMps: 0 };
    const target: Mass = { at: [0, 0], velocity: [0, speed] };
    const vehicle: Mass = { at, velocity: [0, 0] };
    let least = Number.POSITIVE_INFINITY;
    let to: Spot = at;
    let step = null as ReturnType<typeof orbitTrackStep> | null;
    for (let i = 0; i < 200 / DT_S; i++) {
      if (i % 10 === 0) {
        const course = courseFor(VIENNA, target);
        const craft = vehicleFor(VIENNA, vehicle, speeds);
        step = orbitTrackStep(craft, course, { standoffM: 100, radiusM: 150, direction: 'clockwise' });
        if (standoffRefusal(localLegOf({ from: craft.position, to: step.point }), course, 100)) refused++;
        to = spotOn(VIENNA, step.point);
      }
      if (step) fly(vehicle, step, to, speeds, DT_S);
      const turn = (((rates[Math.floor((i * DT_S) / 8) % rates.length] ?? 0) * Math.PI) / 180) * DT_S;
      const [x, y] = target.velocity;
      target.velocity = [x * Math.cos(turn) - y * Math.sin(turn), x * Math.sin(turn) + y * Math.cos(turn)];
      target.at = [target.at[0] + target.velocity[0] * DT_S, target.at[1] + target.velocity[1] * DT_S];
      least = Math.min(least, Math.hypot(vehicle.at[0] - target.at[0], vehicle.at[1] - target.at[1]));
    }
    return least >= 100 && refused === 0;
  });
  t.doesNotThrow(() => fc.assert(property, { seed: seedOf(t), numRuns: sized(40), endOnFailure: true }));
});

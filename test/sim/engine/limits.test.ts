import fc from 'fast-check';
import t from 'tap';
import type { PlatformPerformance } from '../../../src/model/performance.ts';
import { type ScenarioActor, scenarioActorSchema } from '../../../src/model/scenario.ts';
import type { FlightLimits } from '../../../src/sim/aircraft/flight/limits.ts';
import { Population } from '../../../src/sim/population/population.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { sized } from '../../support/basics/size.ts';

const STEP_MS = 50;
const STEP_S = STEP_MS / 1000;
const BIT = 1e-6;

function stageOf(
  actors: readonly ScenarioActor[],
  wind?: { speed_mps: number; from_deg: number; gusts_mps: number },
): Population {
  const performanceOf = (actor: ScenarioActor): PlatformPerformance => actor.performance ?? {};
  const population = new Population(wind, { seed: 9, performanceOf });
  population.addAll(actors, () => null);
  population.settle(0);
  return population;
}

const metres = fc.integer({ min: -2_000, max: 2_000 });
const place = fc.record({ east_m: metres, north_m: metres, height_m: fc.integer({ min: 0, max: 400 }) });
const target = fc.oneof(place, fc.constant({ actor: 'other' }));
const behaviour = fc.oneof(
  fc.constant(undefined),
  fc.constant({ kind: 'route', repeat: true }),
  fc.constant({ kind: 'land' }),
  fc.record({ kind: fc.constant('loiter'), radius_m: fc.integer({ min: 1, max: 500 }) }),
  fc.record({ kind: fc.constant('approach'), target, speed_mps: fc.integer({ min: 0, max: 100 }) }),
  fc.record({ kind: fc.constant('evade'), from: fc.constant('other'), within_m: fc.integer({ min: 10, max: 2_000 }) }),
  fc.record({ kind: fc.constant('formation'), with: fc.constant('other') }),
  fc.record({ kind: fc.constant('orbit'), target, radius_m: fc.integer({ min: 5, max: 900 }) }),
);
const performance = fc.record(
  {
    cruise_speed_mps: fc.integer({ min: 3, max: 40 }),
    max_speed_mps: fc.integer({ min: 5, max: 60 }),
    min_speed_mps: fc.integer({ min: 1, max: 20 }),
    climb_rate_mps: fc.integer({ min: 1, max: 10 }),
    descent_rate_mps: fc.integer({ min: 1, max: 10 }),
    turn_rate_dps: fc.integer({ min: 5, max: 180 }),
    endurance_s: fc.integer({ min: 20, max: 200 }),
  },
  { requiredKeys: [] },
);
const actor = fc.record({
  id: fc.constant('it'),
  kind: fc.constantFrom('drone', 'bird', 'aircraft', 'asset'),
  type: fc.constantFrom(undefined, 'multirotor', 'fixed_wing', 'vtol', 'helicopter', 'bird'),
  start: place,
  route: fc.array(
    fc.record({
      ...{ east_m: metres, north_m: metres },
      height_m: fc.integer({ min: 0, max: 400 }),
      speed_mps: fc.integer({ min: 0, max: 90 }),
      wait_s: fc.integer({ min: 0, max: 20 }),
    }),
    { maxLength: 4 },
  ),
  behaviour,
  performance,
});
const other = scenarioActorSchema.parse({
  ...{ id: 'other', kind: 'drone', start: { east_m: 50, north_m: 0, height_m: 40 } },
  ...{
    route: [
      { east_m: -400, north_m: 300 },
      { east_m: 300, north_m: -200 },
    ],
    behaviour: { kind: 'route', repeat: true },
  },
});
const weather = fc.option(
  fc.record({
    speed_mps: fc.integer({ min: 0, max: 15 }),
    from_deg: fc.integer({ min: 0, max: 359 }),
    gusts_mps: fc.integer({ min: 0, max: 8 }),
  }),
  { nil: undefined },
);

t.test(
  'nothing flies faster, climbs or sinks steeper, or turns tighter than it can, whatever it does in whatever wind',
  async (t) => {
    const seed = seedOf(t);
    const flight = fc.property(actor, weather, (told, wind) => {
      const population = stageOf([scenarioActorSchema.parse(JSON.parse(JSON.stringify(told))), other], wind);
      const { air } = population;
      const limits = air.limits[0] as FlightLimits;
      let before = { east: 0, north: 0, climb: 0, flying: false };
      for (let step = 0; step < 2_000; step++) {
        population.step(step * STEP_MS, STEP_MS, 0);
        const [east, north, climb] = [air.airEastMps[0] ?? 0, air.airNorthMps[0] ?? 0, air.climbMps[0] ?? 0];
        const flying = air.isFlying(0);
        const place = [air.eastM[0], air.northM[0], air.heightM[0]];
        if (!place.every(Number.isFinite)) throw new Error(`it is at ${place}`);
        if ((air.heightM[0] ?? 0) < 0) throw new Error('it is under the ground');
        const speed = Math.hypot(east, north);
        if (speed > limits.maxMps + BIT) throw new Error(`it flies ${speed} m/s of ${limits.maxMps}`);
        if (climb > limits.climbMps + BIT || climb < -limits.descentMps - BIT)
          throw new Error(`it climbs ${climb} m/s`);
        if (flying && !limits.hovers && speed < limits.minMps - BIT) throw new Error(`it flies ${speed} m/s`);
        if (flying && before.flying) {
          const was = Math.hypot(before.east, before.north);
          if (Math.min(speed, was) > 2 + BIT) {
            const turn = Math.abs(
              Math.atan2(before.east * north - before.north * east, before.east * east + before.north * north),
            );
            if (turn > limits.turnRadS * STEP_S + BIT)
              throw new Error(`it turns by ${turn / STEP_S} rad/s of ${limits.turnRadS}`);
          }
          const change = limits.hovers ? Math.hypot(east - before.east, north - before.north) : Math.abs(speed - was);
          if (change > limits.accelMps2 * STEP_S + BIT) throw new Error(`it gains ${change / STEP_S} m/s²`);
        }
        if ((air.flownS[0] ?? 0) > limits.enduranceS + 400 / limits.descentMps + 60) throw new Error('it never lands');
        before = { east, north, climb, flying };
      }
    });
    fc.assert(flight, { seed, numRuns: sized(150) });
  },
);

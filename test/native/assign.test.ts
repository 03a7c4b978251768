import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import t from 'tap';
import { type MatchTarget, type MatchVehicle, match } from '../../src/engagement/matching.ts';
import { seedOf } from '../support/basics/seed.ts';
import { sized } from '../support/basics/size.ts';
import { builtNative, sanitized } from '../support/references/built_native.ts';
import { LONG_MS } from '../support/references/emulator.ts';
import { cheapest, referencePair } from './vehicle_assignment.ts';

const run = promisify(execFile);
const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const weights = { time: 0.4, energy: 0.2, sensor_fit: 0.2, link_range: 0.1, separation: 0.1 };
const settings = { weights, moving: true, stationS: 120, horizonS: 300 };

const vehicle: fc.Arbitrary<MatchVehicle> = fc.record({
  ...{ eastM: between(-3_000, 3_000), northM: between(-3_000, 3_000), upM: between(0, 300) },
  ...{ speedMps: between(5, 25), climbMps: between(1, 8), launchS: fc.constantFrom(0, 0, 20) },
  ...{ energyPct: between(20, 100), drainPctS: between(0.02, 0.2), reachM: between(1_000, 8_000) },
  ...{ seesM: fc.constantFrom(0, 500, 2_000), reservePct: between(10, 40) },
  home: fc.record({ eastM: between(-500, 500), northM: between(-500, 500) }),
});
const target: fc.Arbitrary<MatchTarget> = fc.record({
  ...{ eastM: between(-3_000, 3_000), northM: between(-3_000, 3_000), upM: between(0, 300) },
  velocity: fc.record({ eastMps: between(-20, 20), northMps: between(-20, 20) }),
  ...{ standoffM: between(30, 300), weight: between(0, 1), wanted: fc.constant(1) },
});

t.test('a pair has the result of the reference implementation', (t) => {
  const all = fc.array(vehicle, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(all, target, (vehicles, one) => {
      const matching = match(vehicles, [one], new Uint8Array(vehicles.length).fill(1), settings);
      for (const [j] of vehicles.entries()) {
        const [native, reference] = [matching.pair(0, j), referencePair(vehicles, j, one, settings)];
        // Where a bound lies within the step of the reference, either may be on its side.
        if (native.why !== reference.why) {
          const wider = { ...settings, horizonS: settings.horizonS + 1 };
          const near = [0.98, 1.02].map((part) => {
            const v = vehicles[j] as MatchVehicle;
            const eased = { ...v, reachM: v.reachM * part, reservePct: v.reservePct + (1 - part) * 20 };
            return referencePair(vehicles.with(j, eased), j, one, part > 1 ? wider : { ...settings, horizonS: 299 })
              .why;
          });
          if (!near.includes(native.why)) throw new Error(`${native.why}, not ${reference.why}`);
          continue;
        }
        if (native.why !== 'fits') continue;
        if (Math.abs(native.timeS - reference.timeS) > 0.02)
          throw new Error(`${native.timeS} s, not ${reference.timeS} s`);
        if (Math.abs(native.cost - reference.cost) > 0.01)
          throw new Error(`costs ${native.cost}, not ${reference.cost}`);
        if (native.closestM > Math.max(one.standoffM, 0) + 1 && native.timeS > 0 && reference.meets)
          throw new Error(`comes no nearer than ${native.closestM} m`);
      }
    }),
    { seed: seedOf(t), numRuns: sized(150) },
  );
  t.end();
});

t.test('all pairs at once cost no more than the best that trying all finds', (t) => {
  const sizes = fc.tuple(fc.array(vehicle, { maxLength: 5 }), fc.array(target, { minLength: 1, maxLength: 5 }));
  fc.assert(
    fc.property(sizes, fc.infiniteStream(fc.boolean()), ([vehicles, targets], coin) => {
      const allowed = Uint8Array.from({ length: vehicles.length * targets.length }, () => (coin.next().value ? 1 : 0));
      const matching = match(vehicles, targets, allowed, settings);
      const costs = targets.map((_, i) => vehicles.map((_, j) => matching.pair(i, j).cost));
      const missed = targets.map(({ weight }) => 1_000 * (1 + weight));
      const taken = matching.vehicles.flat();
      if (new Set(taken).size !== taken.length) throw new Error('a vehicle was given twice');
      const found = targets.map((_, i) => {
        const j = matching.vehicles[i]?.[0];
        return j === undefined ? (missed[i] ?? 0) : (costs[i]?.[j] ?? Number.NaN);
      });
      const total = found.reduce((sum, cost) => sum + cost, 0);
      const best = cheapest(costs, missed);
      if (!(Math.abs(total - best) < 1e-6)) throw new Error(`${total}, and ${best} can be had`);
    }),
    { seed: seedOf(t), numRuns: sized(300) },
  );
  t.end();
});

t.test('more than one vehicle goes only where one has gone, and never one twice', (t) => {
  fc.assert(
    fc.property(
      fc.array(vehicle, { maxLength: 8 }),
      fc.array(target, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 4 }),
      (vehicles, targets, wanted) => {
        const all = targets.map((one) => ({ ...one, wanted }));
        const ask = () => match(vehicles, all, new Uint8Array(vehicles.length * all.length).fill(1), settings).vehicles;
        const given = ask();
        if (JSON.stringify(given) !== JSON.stringify(ask())) throw new Error('another time, another answer');
        const taken = given.flat();
        if (new Set(taken).size !== taken.length) throw new Error('a vehicle was given twice');
        if (given.some((of) => of.length > wanted)) throw new Error('too many');
      },
    ),
    { seed: seedOf(t), numRuns: sized(200) },
  );
  t.end();
});

t.test('arrays that do not fit each other are refused', (t) => {
  const one = fc.sample(vehicle, { numRuns: sized(300), seed: 1 });
  const aim = fc.sample(target, { numRuns: 1, seed: 1 });
  t.throws(() => match(one, aim, new Uint8Array(300), settings), RangeError);
  t.throws(() => match(one.slice(0, 3), aim, new Uint8Array(2), settings), RangeError);
  t.end();
});

t.test(
  'whatever numbers it is given, the native part stays sound and takes no memory twice',
  { timeout: LONG_MS },
  async (t) => {
    const seed = String(seedOf(t));
    const checked = await builtNative('assign_check', sanitized);
    t.match((await run(checked, [seed])).stdout, /400 rounds/);
    const paced = await builtNative('assign_pace', ['-O2']);
    const { stdout } = await run(paced, [seed]);
    t.match(stdout, /^allocations 0$/m);
  },
);

import fc from 'fast-check';
import t from 'tap';
import { onlyInFull } from '../../support/basics/patience.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { sized } from '../../support/basics/size.ts';
import { engineOf, Listening, run, textOf } from '../../support/sim/scenario_engine.ts';

onlyInFull(t);

const offset = fc.oneof(fc.integer({ min: -3_000, max: 3_000 }), fc.constantFrom(-200_000, 0, 200_000));
const height = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.constantFrom(0, 20_000));
const place = fc.record({ east_m: offset, north_m: offset, height_m: height });
const span = fc.integer({ min: 0, max: 20 }).map((from_s) => ({ from_s, to_s: from_s + 5 }));
const target = fc.oneof(place, fc.constantFrom({ actor: 'a0' }, { actor: 'a1' }));
const behaviour = fc.oneof(
  fc.constantFrom({ kind: 'route', repeat: true }, { kind: 'land' }, { kind: 'formation', with: 'a0' }),
  fc.constantFrom({ kind: 'evade', from: 'a1', within_m: 20_000 }, { kind: 'loiter', radius_m: 1 }),
  fc.record({ kind: fc.constant('approach'), target, speed_mps: fc.constantFrom(0, 1, 350) }),
  fc.record({ kind: fc.constant('orbit'), target, radius_m: fc.constantFrom(5, 100, 20_000) }),
);
const broadcast = fc.record(
  { pilot: place, period_s: fc.constantFrom(0.2, 1, 60), sigma_m: fc.constantFrom(0, 3, 1_000), off: fc.array(span) },
  { requiredKeys: [] },
);
const lies = fc.record({ east_m: offset, up_m: fc.constantFrom(-5_000, 0, 5_000) });
const actor = fc.record(
  {
    kind: fc.constantFrom('drone', 'bird', 'aircraft', 'asset', 'spoofer', 'swarm'),
    type: fc.constantFrom('multirotor', 'fixed_wing', 'vtol', 'helicopter', 'bird'),
    start: place,
    appears_s: fc.integer({ min: 0, max: 20 }),
    leaves_s: fc.integer({ min: 0, max: 20 }),
    route: fc.array(place, { maxLength: 3 }),
    behaviour,
    hidden: fc.array(span, { maxLength: 2 }),
    remote_id: fc.tuple(broadcast, fc.option(lies, { nil: undefined })).map(([said, lie]) => ({ ...said, lies: lie })),
    adsb: fc.constantFrom({}, { callsign: 'ABC123', period_s: 0.2 }),
    count: fc.integer({ min: 1, max: 30 }),
    spacing_m: fc.constantFrom(1, 2_000),
    size_m: fc.constantFrom(0.05, 100),
    performance: fc.constantFrom(
      { max_speed_mps: 2_000, cruise_speed_mps: 2_000 },
      { endurance_s: 0, climb_rate_mps: 1_000 },
    ),
  },
  { requiredKeys: ['kind', 'start'] },
);
const sensor = fc.record(
  {
    modality: fc.constantFrom('remote_id', 'adsb', 'radar', 'rf', 'camera', 'acoustic'),
    placement: fc
      .tuple(place, fc.constantFrom(100, 5_000, 200_000))
      .map(([at, max_range_m]) => ({ ...at, max_range_m })),
    pd: fc.constantFrom(0, 0.5, 1),
    false_per_scan: fc.constantFrom(0, 3, 100),
    sigma: fc.constantFrom({}, { range_m: 100_000, azimuth_deg: 30, elevation_deg: 30 }, { elevation_deg: 0.1 }),
    bias: fc.constantFrom({}, { range_m: -1_000, azimuth_deg: -30 }, { azimuth_deg: 30 }),
    latency_s: fc.constantFrom(0, 1, 10),
    period_s: fc.constantFrom(0.3, 1, 60),
    outages: fc.array(span, { maxLength: 2 }),
  },
  { requiredKeys: ['modality', 'placement'] },
);
const origin = fc.record({
  lat: fc.constantFrom(-85, 0, 52, 85),
  lon: fc.constantFrom(-180, 0, 4, 180),
  alt_hae_m: fc.constantFrom(-1_000, 0, 3_000, 100_000),
});
const scenario = fc.record({
  origin,
  wind: fc.record({
    speed_mps: fc.constantFrom(0, 5, 60),
    from_deg: fc.constantFrom(0, 359),
    gusts_mps: fc.constantFrom(0, 30),
  }),
  actors: fc.array(actor, { minLength: 2, maxLength: 6 }).map((all) => all.map((one, i) => ({ ...one, id: `a${i}` }))),
  sensors: fc
    .array(sensor, { minLength: 1, maxLength: 5 })
    .map((all) => all.map((one, i) => ({ ...one, id: `s${i}` }))),
});

t.test(
  'whatever a scenario says, everybody is somewhere, every byte is read, and it comes out the same again',
  async (t) => {
    const seed = seedOf(t);
    const property = fc.property(scenario, (said) => {
      const parts = JSON.parse(JSON.stringify(said));
      const engine = engineOf(parts);
      const frames = run(engine, 25);
      for (const { latDeg, lonDeg, altHaeM, eastMps, northMps, upMps, id } of engine.truth())
        if (![latDeg, lonDeg, altHaeM, eastMps, northMps, upMps].every(Number.isFinite))
          throw new Error(`${id} is nowhere`);
      const ear = new Listening(engine).hear(frames);
      if (ear.refused > 0) throw new Error(`${ear.refused} messages were refused`);
      if (textOf(run(engineOf(parts), 25)) !== textOf(frames)) throw new Error('it came out otherwise');
    });
    fc.assert(property, { seed, numRuns: sized(60) });
  },
);

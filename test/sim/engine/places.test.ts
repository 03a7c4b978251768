import t from 'tap';
import { MavlinkEncoder } from '../../../src/edge/wire/mavlink/encode.ts';
import { writeCommandLong } from '../../../src/edge/wire/mavlink/write_vehicle.ts';
import { LocalFrame } from '../../../src/geo/local_frame.ts';
import { BEGIN_MS, engineOf, Listening, run } from '../../support/sim/scenario_engine.ts';

const at = { east_m: 0, north_m: 0, height_m: 20 };
const places = [
  { name: 'across the antimeridian', lat: -17, lon: 179.9999, alt_hae_m: 20 },
  { name: 'far in the north', lat: 84.99, lon: -179.99, alt_hae_m: 5 },
  { name: 'far in the south, under sea level', lat: -84.5, lon: 12, alt_hae_m: -40 },
];

for (const { name, ...origin } of places) {
  t.test(`${name}, what is said and what is seen is where it is, and moves as it moves`, async (t) => {
    const actor = {
      ...{ id: 'it', kind: 'drone', start: { east_m: -5_000, north_m: 4_000, height_m: 100 } },
      ...{ route: [{ east_m: 6_000, north_m: 3_500, speed_mps: 18 }], remote_id: { sigma_m: 0, loss: 0 } },
    };
    const exact = { range_m: 0.01, azimuth_deg: 0.001, elevation_deg: 0.001 };
    const sensors = [
      { id: 'rid', modality: 'remote_id', pd: 1, placement: { ...at, max_range_m: 20_000 } },
      { id: 'radar', modality: 'radar', pd: 1, placement: { ...at, east_m: 3_000, max_range_m: 20_000 }, sigma: exact },
    ];
    const engine = engineOf({ origin, actors: [actor], sensors });
    const ear = new Listening(engine);
    let heard = 0;
    for (let s = 1; s <= 500; s++) {
      ear.observations.length = 0;
      ear.hear(engine.advance(BEGIN_MS + s * 1000));
      const [point] = engine.truth();
      // While it gains speed, what it said a moment ago is not how it moves now.
      if (!point || s < 10) continue;
      const here = new LocalFrame(point.latDeg, point.lonDeg, point.altHaeM);
      for (const o of ear.ofSensor('rid').filter(({ report }) => report === 'position')) {
        const ageS = (BEGIN_MS + s * 1000 - (o.receivedMs - 100)) / 1000;
        const { eastM: east, northM: north } = here.toEnu(o.latDeg ?? 0, o.lonDeg ?? 0, o.altHaeM ?? 0);
        const off = Math.hypot(east + point.eastMps * ageS, north + point.northMps * ageS);
        const course = ((o.courseDeg ?? 0) * Math.PI) / 180;
        const turn = Math.hypot(
          (o.speedMps ?? 0) * Math.sin(course) - point.eastMps,
          (o.speedMps ?? 0) * Math.cos(course) - point.northMps,
        );
        if (off > 2 || turn > 1.5) t.fail(`at ${s} s it is said ${off} m off, moving ${turn} m/s otherwise`);
        heard++;
      }
      const { placement } = engine.sensors[0] ?? {};
      const frame = new LocalFrame(placement?.lat ?? 0, placement?.lon ?? 0, placement?.alt_hae_m ?? 0);
      for (const { azimuthDeg, elevationDeg, rangeM, sourceMs } of ear.ofSensor('radar')) {
        const [azimuth, elevation] = [((azimuthDeg ?? 0) * Math.PI) / 180, ((elevationDeg ?? 0) * Math.PI) / 180];
        const along = (rangeM ?? 0) * Math.cos(elevation);
        const seen = [
          along * Math.sin(azimuth),
          along * Math.cos(azimuth),
          (rangeM ?? 0) * Math.sin(elevation),
        ] as const;
        const spot = frame.toGeodetic(...seen);
        const ageS = (BEGIN_MS + s * 1000 - (sourceMs ?? 0)) / 1000;
        const { eastM: east, northM: north, upM: up } = here.toEnu(spot.latDeg, spot.lonDeg, spot.altHaeM);
        const off = Math.hypot(east + point.eastMps * ageS, north + point.northMps * ageS, up + point.upMps * ageS);
        if (off > 1.5) t.fail(`at ${s} s it is seen ${off} m off`);
        heard++;
      }
    }
    t.ok(heard > 950, `${heard} looks`);
  });
}

t.test('our own vehicle flies in the same sky: its Remote ID and the radar tell of one aircraft', async (t) => {
  const ours = {
    ...{
      id: 'ours',
      kind: 'asset',
      start: { east_m: 100, north_m: 0 },
      mavlink: {},
      remote_id: { loss: 0 },
      appears_s: 5,
    },
    route: [{ east_m: 900, north_m: 500, height_m: 80 }],
  };
  const sensors = [
    { id: 'rid', modality: 'remote_id', pd: 1, placement: { ...at, max_range_m: 5_000 } },
    { id: 'radar', modality: 'radar', pd: 1, placement: { ...at, max_range_m: 5_000 } },
  ];
  const engine = engineOf({ actors: [ours], sensors, wind: { speed_mps: 4, from_deg: 30, gusts_mps: 2 } });
  t.match(engine.vehicles, [{ actorId: 'ours', sysid: 1, serial: /^9Z9ZF.{15}$/ }]);
  const link = engine.vehicles[0]?.link ?? '';
  t.match(
    engine.links.find(({ name }) => name === link),
    { protocol: 'mavlink', command: 'allow' },
  );
  const ear = new Listening(engine);
  const frames = run(engine, 60);
  ear.hear(frames);
  t.ok(frames.filter((frame) => frame.link === link).length > 50, 'it beats, though nobody asked it for more');
  const [point] = engine.truth();
  t.match(point, { id: 'ours', kind: 'asset', airborne: true, visible: true });
  const here = new LocalFrame(point?.latDeg ?? 0, point?.lonDeg ?? 0, point?.altHaeM ?? 0);
  const told = ear.observations.filter(
    ({ report, receivedMs }) => report === 'position' && receivedMs > BEGIN_MS + 59_000,
  );
  t.ok(told.some(({ identities }) => identities.some(({ value }) => value === engine.vehicles[0]?.serial)));
  for (const { latDeg, lonDeg, altHaeM } of told) {
    const { eastM: east, northM: north } = here.toEnu(latDeg ?? 0, lonDeg ?? 0, altHaeM ?? 0);
    t.ok(Math.hypot(east, north) < 30);
  }
  t.ok(ear.ofSensor('radar').length > 20);
});

const REQUEST_MESSAGE = 512;
const AUTOPILOT_VERSION = 148;

t.test(
  'what is written to a sensor goes nowhere, and of our vehicles only the one it is written to hears it',
  async (t) => {
    const asset = (id: string, east_m: number): object => ({
      id,
      kind: 'asset',
      start: { east_m, north_m: 0 },
      mavlink: {},
    });
    const rid = { id: 'rid', modality: 'remote_id', placement: { ...at, max_range_m: 500 } };
    const parts = { actors: [asset('one', 0), asset('two', 50)], sensors: [rid] };
    const after = (...links: string[]): Map<string, string> => {
      const engine = engineOf(parts);
      t.same(
        engine.vehicles.map(({ sysid }) => sysid),
        [1, 2],
      );
      run(engine, 10);
      const request = writeCommandLong({ sysid: 1, compid: 1 }, REQUEST_MESSAGE, [AUTOPILOT_VERSION], 0);
      const bytes = new MavlinkEncoder({ sysid: 255, compid: 190 }).encode(request);
      for (const link of links) engine.write(link, undefined, bytes, BEGIN_MS + 10_000);
      const frames = engine.advance(BEGIN_MS + 20_000);
      const told = new Map<string, string>();
      for (const { link, bytes } of frames) told.set(link, (told.get(link) ?? '') + Buffer.from(bytes).toString('hex'));
      return told;
    };
    const untouched = after();
    t.same(after('sim-rid', 'no such link', 'sim-twin-two'), untouched);
    const asked = after('sim-twin-one');
    t.not(asked.get('sim-twin-one'), untouched.get('sim-twin-one'));
    t.equal(asked.get('sim-twin-two'), untouched.get('sim-twin-two'));
  },
);

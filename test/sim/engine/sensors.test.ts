import t from 'tap';
import { LocalFrame } from '../../../src/geo/local_frame.ts';
import type { Observation } from '../../../src/model/observation.ts';
import { Engine } from '../../../src/sim/runs/engine.ts';
import { onlyInFull } from '../../support/basics/patience.ts';
import { engineOf, Listening, noCatalog, run, scenarioOf } from '../../support/sim/scenario_engine.ts';

onlyInFull(t);

const DEGREES = 180 / Math.PI;
const at = { east_m: 0, north_m: 0, height_m: 20 };
const quiet = { pd: 1, false_per_scan: 0, latency_s: 0.1 };
const circling = {
  ...{ id: 'it', kind: 'drone', start: { east_m: 900, north_m: 300, height_m: 100 } },
  behaviour: { kind: 'orbit', target: { east_m: 200, north_m: 100 }, radius_m: 700, speed_mps: 12 },
};

type Errors = { azimuthDeg: number[]; elevationDeg: number[]; rangeM: number[] };

/** How far each plot is beside where the aircraft really was at its time, seen from the sensor in its own axes. */
function errorsOf(
  plots: readonly Observation[],
  parts: Record<string, unknown>,
  placement: { lat: number; lon: number; alt_hae_m?: number | undefined },
): Errors {
  const frame = new LocalFrame(placement.lat, placement.lon, placement.alt_hae_m ?? 0);
  const truth = new Engine(scenarioOf(parts), 1, noCatalog);
  const errors: Errors = { azimuthDeg: [], elevationDeg: [], rangeM: [] };
  for (const { sourceMs, azimuthDeg, elevationDeg, rangeM } of plots) {
    truth.advance(sourceMs ?? 0);
    const [point] = truth.truth();
    if (!point) continue;
    const { eastM: east, northM: north, upM: up } = frame.toEnu(point.latDeg, point.lonDeg, point.altHaeM);
    const off = ((azimuthDeg ?? 0) - Math.atan2(east, north) * DEGREES + 900) % 360;
    errors.azimuthDeg.push(off - 180);
    if (elevationDeg !== null)
      errors.elevationDeg.push(elevationDeg - Math.atan2(up, Math.hypot(east, north)) * DEGREES);
    if (rangeM !== null) errors.rangeM.push(rangeM - Math.hypot(east, north, up));
  }
  return errors;
}

/** Whether errors have mean `bias` and standard deviation `sigma`, within four standard errors of each. */
function areOf(errors: readonly number[], sigma: number, bias = 0): boolean {
  const mean = errors.reduce((a, b) => a + b, 0) / errors.length;
  const variance = errors.reduce((sum, error) => sum + (error - mean) ** 2, 0) / (errors.length - 1);
  const meanIsRight = Math.abs(mean - bias) < (4 * sigma) / Math.sqrt(errors.length);
  return meanIsRight && Math.abs(variance / sigma ** 2 - 1) < 4 * Math.sqrt(2 / errors.length);
}

t.test(
  'a radar far from the origin measures in its own axes, with the errors that it declares and its bias',
  async (t) => {
    const radar = {
      ...{ id: 'radar', modality: 'radar', ...quiet, period_s: 0.5 },
      placement: { east_m: -9_000, north_m: 4_000, height_m: 30, max_range_m: 30_000 },
      ...{ sigma: { range_m: 8, azimuth_deg: 0.4, elevation_deg: 0.6 }, bias: { range_m: 25, azimuth_deg: 1.5 } },
    };
    const parts = { actors: [circling], sensors: [radar], wind: { speed_mps: 3, from_deg: 90, gusts_mps: 2 } };
    const engine = engineOf(parts);
    const ear = new Listening(engine).hear(run(engine, 900));
    const plots = ear.ofSensor('radar');
    t.ok(plots.length > 1_790, `${plots.length} plots`);
    t.ok(
      plots.every(
        ({ sigmaRangeM, sigmaAzimuthDeg, sigmaElevationDeg }) =>
          sigmaRangeM === 8 && sigmaAzimuthDeg === 0.4 && sigmaElevationDeg === 0.6,
      ),
    );
    t.ok(
      plots.every(({ receivedMs, sourceMs, timeMs }) => receivedMs - (sourceMs ?? 0) === 100 && timeMs === sourceMs),
    );
    const errors = errorsOf(plots, parts, engine.sensors[0]?.placement ?? { lat: 0, lon: 0 });
    t.ok(areOf(errors.rangeM, 8, 25), 'ranges');
    t.ok(areOf(errors.azimuthDeg, 0.4, 1.5), 'azimuths');
    t.ok(areOf(errors.elevationDeg, 0.6), 'elevations');
  },
);

t.test('a camera measures two angles, a direction finder and microphones one', async (t) => {
  const sensor = (id: string, modality: string): object => ({
    id,
    modality,
    ...quiet,
    sigma: { azimuth_deg: 2, elevation_deg: 1 },
    placement: { ...at, max_range_m: 5_000 },
  });
  const parts = {
    actors: [circling],
    sensors: [sensor('camera', 'camera'), sensor('rf', 'rf'), sensor('mics', 'acoustic')],
  };
  const engine = engineOf(parts);
  const ear = new Listening(engine).hear(run(engine, 600));
  for (const name of ['camera', 'rf', 'mics']) {
    const plots = ear.ofSensor(name);
    t.ok(plots.length > 590 && plots.every(({ report, rangeM }) => report === 'bearing' && rangeM === null));
    const errors = errorsOf(plots, parts, ear.sensors.resolve(name)?.placement ?? { lat: 0, lon: 0 });
    t.ok(areOf(errors.azimuthDeg, 2), `azimuths of ${name}`);
    if (name === 'camera') t.ok(areOf(errors.elevationDeg, 1), 'its elevations');
    else t.equal(errors.elevationDeg.length, 0);
  }
});

t.test('a radar that declares no error of elevation measures none', async (t) => {
  const engine = engineOf({
    actors: [circling],
    sensors: [{ id: 'radar', modality: 'radar', ...quiet, placement: { ...at, max_range_m: 5_000 } }],
  });
  const plots = new Listening(engine).hear(run(engine, 20)).ofSensor('radar');
  t.ok(
    plots.length >= 19 &&
      plots.every(({ report, elevationDeg }) => report === 'range_bearing' && elevationDeg === null),
  );
});

t.test('false plots are as many as was said, Poisson, and all over what is covered', async (t) => {
  const placement = { ...at, azimuth_deg: 350, hfov_deg: 60, min_range_m: 500, max_range_m: 4_000 };
  const radar = { id: 'radar', modality: 'radar', false_per_scan: 7, placement };
  const engine = engineOf({ sensors: [radar] });
  const plots = new Listening(engine)
    .hear(run(engine, 2_000))
    .ofSensor('radar')
    .filter(({ report }) => report === 'range_bearing');
  const scans = new Map<number, number>();
  for (const { sourceMs } of plots) scans.set(sourceMs ?? 0, (scans.get(sourceMs ?? 0) ?? 0) + 1);
  const counts = [...scans.values(), ...new Array<number>(2_000 - scans.size).fill(0)];
  t.ok(areOf(counts, Math.sqrt(7), 7), `${plots.length / 2_000} a scan`);
  const turns = plots.map(({ azimuthDeg }) => (((azimuthDeg ?? 0) - 350 + 540) % 360) - 180);
  t.ok(turns.every((turn) => Math.abs(turn) <= 30.001));
  t.ok(areOf(turns, 60 / Math.sqrt(12)), 'as many at each side');
  const shares = plots.map(({ rangeM }) => ((rangeM ?? 0) ** 2 - 500 ** 2) / (4_000 ** 2 - 500 ** 2));
  t.ok(shares.every((share) => share >= -0.001 && share <= 1.001));
  t.ok(areOf(shares, 1 / Math.sqrt(12), 0.5), 'as many on each square metre');
});

t.test('what is there is seen as often as was said, less far out, and small things less far', async (t) => {
  const still = (id: string, east_m: number, size_m = 0.4): object => ({
    id,
    kind: 'drone',
    size_m,
    start: { east_m, north_m: 0, height_m: 60 },
  });
  const radar = { id: 'radar', modality: 'radar', pd: 0.8, placement: { ...at, max_range_m: 2_000 } };
  const share = (actor: object): number => {
    const engine = engineOf({ actors: [actor], sensors: [radar] });
    return (
      new Listening(engine)
        .hear(run(engine, 1_000))
        .ofSensor('radar')
        .filter(({ report }) => report === 'range_bearing').length / 1_000
    );
  };
  const close = share(still('it', 1_000));
  t.ok(Math.abs(close - 0.8) < 4 * Math.sqrt((0.8 * 0.2) / 1_000), `${close} up close`);
  const far = share(still('it', 1_950));
  t.ok(far < 0.6 && far > 0.1, `${far} far out`);
  t.equal(share(still('it', 2_010)), 0, 'nothing beyond its range');
  t.equal(share(still('it', 1_200, 0.1)), 0, 'nothing so small so far');
  t.ok(share(still('it', 600, 0.1)) > 0.7);
});

t.test(
  'nothing comes of what hides, stands on the ground, is out of the sector or behind the horizon, or while the link is down',
  async (t) => {
    const sector = { ...at, azimuth_deg: 90, hfov_deg: 90, min_range_m: 200, max_range_m: 60_000 };
    const sensors = [
      { id: 'radar', modality: 'radar', ...quiet, placement: sector, outages: [{ from_s: 30, to_s: 50 }] },
      { id: 'rid', modality: 'remote_id', ...quiet, placement: sector, outages: [{ from_s: 30, to_s: 50 }] },
    ];
    const heardAt = (more: object): number[] => {
      const actor = {
        id: 'it',
        kind: 'drone',
        start: { east_m: 800, north_m: 0, height_m: 60 },
        remote_id: { loss: 0 },
        ...more,
      };
      const engine = engineOf({ actors: [actor], sensors });
      const begin = Date.parse('2026-06-01T10:00:00.000Z');
      const downs: [number, number][] = [];
      const frames = run(engine, 80, (atS) => void downs.push([atS, engine.downLinks().size]));
      const wrong = downs.filter(([s, down]) => down !== (s >= 30 && s < 50 ? 2 : 0));
      t.same(wrong, [], 'which links are down is told');
      const ear = new Listening(engine).hear(frames);
      return ear.observations
        .filter(({ report }) => report !== 'presence')
        .map(({ receivedMs }) => (receivedMs - begin) / 1000);
    };
    const heard = heardAt({ hidden: [{ from_s: 60, to_s: 70 }] });
    t.ok(heard.length > 80);
    t.notOk(heard.some((s) => (s >= 30 && s < 50) || (s >= 60.2 && s < 70)));
    t.ok([25, 55, 75].every((s) => heard.some((at) => Math.abs(at - s) < 2)));
    t.same(heardAt({ start: { east_m: 800, north_m: 0 } }), [], 'on the ground');
    t.same(heardAt({ start: { east_m: 800, north_m: 900, height_m: 60 } }), [], 'out of the sector');
    t.same(heardAt({ start: { east_m: 150, north_m: 0, height_m: 60 } }), [], 'too near');
    t.same(
      heardAt({ kind: 'aircraft', start: { east_m: 55_000, north_m: 0, height_m: 20 }, leaves_s: 20 }),
      [],
      'behind the horizon',
    );
    t.ok(heardAt({ kind: 'aircraft', start: { east_m: 45_000, north_m: 0, height_m: 2_000 } }).length > 80, 'over it');
  },
);

t.test(
  'a direction finder hears drones and who lies, and neither birds nor airliners; microphones hear no birds',
  async (t) => {
    const sensors = ['rf', 'acoustic'].map((modality) => ({
      id: modality,
      modality,
      ...quiet,
      placement: { ...at, max_range_m: 2_000 },
    }));
    const heardBy = (actor: object): Record<string, boolean> => {
      const engine = engineOf({
        actors: [{ id: 'it', start: { east_m: 500, north_m: 0, height_m: 60 }, ...actor }],
        sensors,
      });
      const ear = new Listening(engine).hear(run(engine, 20));
      const heard = (name: string): boolean => ear.ofSensor(name).some(({ report }) => report === 'bearing');
      return { rf: heard('rf'), acoustic: heard('acoustic') };
    };
    t.same(heardBy({ kind: 'drone' }), { rf: true, acoustic: true });
    t.same(heardBy({ kind: 'bird' }), { rf: false, acoustic: false });
    t.same(heardBy({ kind: 'aircraft', type: 'helicopter' }), { rf: false, acoustic: true });
    t.same(heardBy({ kind: 'spoofer' }), { rf: true, acoustic: false });
    t.same(heardBy({ kind: 'asset' }), { rf: false, acoustic: false });
    t.same(heardBy({ kind: 'asset', mavlink: {}, start: { east_m: 500, north_m: 0 } }), { rf: false, acoustic: false });
  },
);

t.test('a sensor under a clear sky gives signs of life within its time, and none while its link is down', async (t) => {
  const sensors = ['radar', 'camera', 'remote_id'].map((modality) => ({
    ...{ id: modality, modality, heartbeat_s: 10, outages: [{ from_s: 40, to_s: 60 }] },
    placement: { ...at, max_range_m: 2_000 },
  }));
  const engine = engineOf({ sensors });
  const ear = new Listening(engine);
  const states = new Map<number, Set<string>>();
  const begin = Date.parse('2026-06-01T10:00:00.000Z');
  for (let s = 1; s <= 100; s++) {
    ear.hear(engine.advance(begin + s * 1000));
    states.set(s, new Set(ear.sensors.list(begin + s * 1000).map(({ state }) => state)));
  }
  for (let s = 10; s <= 40; s++) t.same(states.get(s), new Set(['operational']));
  t.same(states.get(59), new Set(['silent']));
  for (let s = 70; s <= 100; s++) t.same(states.get(s), new Set(['operational']));
});

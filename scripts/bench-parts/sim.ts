import { loadGeoid } from '../../src/geo/geoid.ts';
import { type ScenarioSpec, scenarioSpecSchema } from '../../src/model/scenario.ts';
import { Engine, type SimFrame } from '../../src/sim/runs/engine.ts';
import { BEGIN_MS, Listening } from '../../test/support/sim/scenario_engine.ts';
import { microsecondsEach } from './cpu_time.ts';
import type { Row } from './row.ts';
import { benchSimRun } from './sim_run.ts';

const FAR = 200;
const NEAR = 100;
const SECONDS = 60;

/** An airport's fence: airliners far around that radars and ADS-B see, small drones and birds near, wind with gusts. */
export function busySky(): ScenarioSpec {
  const angle = (i: number, of: number): number => (2 * Math.PI * i) / of;
  const ring = (i: number, of: number, radiusM: number): { east_m: number; north_m: number } => ({
    east_m: Math.round(radiusM * Math.sin(angle(i, of))),
    north_m: Math.round(radiusM * Math.cos(angle(i, of))),
  });
  const far = Array.from({ length: FAR }, (_, i) => ({
    ...{ id: `far-${i}`, kind: 'aircraft', adsb: { callsign: `SIM${i}` } },
    start: { ...ring(i, FAR, 15_000 + 100 * i), height_m: 500 + 40 * i },
    route: [ring(i + 40, FAR, 20_000), ring(i + 80, FAR, 25_000), ring(i + 120, FAR, 25_000)],
    behaviour: { kind: 'route', repeat: true },
  }));
  const near = Array.from({ length: NEAR }, (_, i) => ({
    ...{ id: `near-${i}`, kind: i % 4 === 0 ? 'bird' : 'drone' },
    start: { ...ring(i, NEAR, 1_000 + 20 * i), height_m: 50 },
    behaviour:
      i % 2 === 0 ? { kind: 'loiter', radius_m: 150 } : { kind: 'approach', target: { actor: `near-${i - 1}` } },
    ...(i % 4 === 0 ? {} : { remote_id: {} }),
  }));
  const at = { east_m: 0, north_m: 0, height_m: 15 };
  const radar = (id: string, max_range_m: number, east_m: number): object => ({
    ...{ id, modality: 'radar', placement: { ...at, east_m, max_range_m }, false_per_scan: 10 },
    sigma: { range_m: 8, azimuth_deg: 0.5, elevation_deg: 0.7 },
  });
  const listener = (id: string, modality: string, max_range_m: number): object => ({
    ...{ id, modality, placement: { ...at, max_range_m } },
  });
  return scenarioSpecSchema.parse({
    ...{ name: 'busy', duration_s: 3_600, origin: { lat: 52, lon: 4 }, actors: [...far, ...near] },
    wind: { speed_mps: 6, from_deg: 250, gusts_mps: 4 },
    sensors: [
      ...[radar('radar-1', 6_000, 0), radar('radar-2', 6_000, 1_500), radar('radar-3', 30_000, -1_500)],
      ...[listener('rid-1', 'remote_id', 4_000), listener('rid-2', 'remote_id', 4_000)],
      ...[listener('adsb', 'adsb', 200_000), listener('rf', 'rf', 3_000), listener('camera', 'camera', 1_500)],
    ],
  });
}

/** What a simulated sky costs: flying, seeing and writing; and reading what was written, before anything is tracked. */
export async function benchSim(): Promise<Row[]> {
  loadGeoid();
  const engine = new Engine(busySky(), 1, { performanceOf: () => null });
  const ear = new Listening(engine);
  let nowMs = BEGIN_MS;
  let frames: SimFrame[] = [];
  const written = microsecondsEach(SECONDS, () => {
    frames = [];
    for (let tick = 0; tick < SECONDS * 10; tick++) {
      nowMs += 100;
      frames.push(...engine.advance(nowMs));
    }
  });
  let observations = 0;
  const read = microsecondsEach(SECONDS, () => {
    ear.hear(frames);
    observations = ear.observations.length;
    ear.observations.length = 0;
  });
  const name = `${FAR + NEAR} aircraft, 8 sensors`;
  return [
    { name, value: written / 1000, unit: 'ms a simulated second', target: { atMost: 20 } },
    { name: 'what they say, read', value: read / 1000, unit: 'ms a simulated second' },
    { name, value: frames.length / SECONDS, unit: 'frames a second' },
    { name, value: observations / SECONDS, unit: 'observations a second' },
    ...(await benchSimRun()),
  ];
}

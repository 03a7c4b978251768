import { appendFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Run } from '../../../src/model/run.ts';
import type { Track } from '../../../src/model/track.ts';
import { onlyInFull, takeTime, until } from '../../support/basics/patience.ts';
import { placeAt } from '../../support/basics/place.ts';
import { must } from '../../support/daemon/alerts.ts';
import { spawnDaemon } from '../../support/daemon/daemon_process.ts';
import {
  LIVE_SITE,
  play,
  receiver,
  scenarioIn,
  show,
  simState,
  simulatedVehicle,
  visitor,
} from '../../support/daemon/shown_worlds.ts';
import { trackOf } from '../../support/daemon/watch.ts';
import { Drones, hovering } from '../../support/sky/drones.ts';
import { mountTmpfs, noMount } from '../../support/store/tmpfs.ts';

onlyInFull(t);
takeTime(t, 400);
const SERIAL = '1581F5FKD229400000Q1';
const TIMES = Number(process.env.DUNLIN_TEST_SWITCHES ?? 20);

const threadsOf = (pid: number): number => readdirSync(`/proc/${pid}/task`).length;
const filesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;
const residentMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

/** Until not a byte more goes onto the disk. */
function fill(path: string): void {
  for (let bytes = 1_048_576; bytes >= 1_024; ) {
    try {
      appendFileSync(path, Buffer.alloc(bytes));
    } catch {
      bytes /= 2;
    }
  }
}

t.test('begun and ended many times, nothing of it stays: no thread, no file, no memory', async (t) => {
  const daemon = await spawnDaemon(t);
  const pid = daemon.process.pid ?? 0;
  const scenario = await scenarioIn(daemon, { actors: [visitor(SERIAL), simulatedVehicle()], sensors: [receiver] });
  const once = async (): Promise<void> => {
    await play(daemon, scenario, { rate: 20 });
    await must(daemon, '/api/sim/stop', {});
    await show(daemon, 'live');
  };
  // What is made at the first time only is there from then on.
  for (let n = 0; n < 3; n++) await once();
  const [threads, files, memory] = [threadsOf(pid), filesOf(pid), residentMb(pid)];
  for (let n = 0; n < TIMES; n++) await once();
  await until(async () => threadsOf(pid) <= threads, `${threads} threads are left, as before`);
  await until(async () => filesOf(pid) <= files, `${files} files are open, as before`);
  const grown = residentMb(pid) - memory;
  t.comment(`${TIMES} runs: ${grown.toFixed(1)} MB more than the ${memory.toFixed(1)} before`);
  t.ok(grown < 60 + TIMES, `memory is bounded: ${grown} MB more`);
  t.notOk(JSON.stringify(daemon.lines).includes('MaxListeners'));
});

t.test(
  'a disk that is full when a run ends keeps nobody in its world, and has it once there is room',
  { skip: noMount() },
  async (t) => {
    const folder = mountTmpfs(t, 'size=64m');
    const daemon = await spawnDaemon(t, { dataDir: folder });
    const scenario = await scenarioIn(daemon, { actors: [visitor(SERIAL)], sensors: [receiver] });
    const { run_id } = await play(daemon, scenario, { rate: 4 });
    await trackOf(daemon, SERIAL);
    const ballast = join(folder, 'ballast');
    fill(ballast);
    const stopped = await daemon.post('/api/sim/stop', {});
    t.equal(stopped.status, 200, stopped.body.error ?? '');
    t.match(await simState(daemon), { run: 'completed' });
    t.match(await show(daemon, 'live'), { mode: 'live', run: 'idle' });
    rmSync(ballast);
    const run = await until(async () => {
      const found = await daemon.get<Run>(`/api/simulation/runs/${run_id}`);
      return found.state === 'completed' && found;
    }, 'what it came to is written');
    t.ok(run.log_hash !== null && run.metrics !== null);
    t.match(await play(daemon, scenario), { run: 'running' });
  },
);

t.test('the greatest scenario at the greatest rate leaves the live world its time', async (t) => {
  const daemon = await spawnDaemon(t);
  await must(daemon, '/api/sensors', { name: 'mast', modality: 'remote_id' });
  const crowd = (n: number): object => ({
    ...{ id: `crowd-${n}`, kind: 'swarm', count: 500, spacing_m: 40, type: 'multirotor' },
    start: { east_m: n * 2_000, north_m: 500, height_m: 80 },
    behaviour: { kind: 'loiter', radius_m: 200 },
    remote_id: { loss: 0 },
  });
  const ear = (n: number): object => ({
    ...receiver,
    id: `mast-${n}`,
    placement: { ...receiver.placement, max_range_m: 20_000 },
  });
  const scenario = await scenarioIn(daemon, {
    name: 'greatest',
    actors: [crowd(0), crowd(1)],
    sensors: Array.from({ length: 5 }, (_, n) => ear(n)),
  });
  const pid = daemon.process.pid ?? 0;
  await play(daemon, scenario, { rate: 20 });
  const drones = new Drones(t, daemon);
  const waits: number[] = [];
  for (let n = 0; n < 8; n++) {
    const serial = `1581F5FKD22940000L${n}`;
    const began = performance.now();
    drones.fly(serial, hovering(placeAt(LIVE_SITE, n * 45, 2_000)));
    await until(async () => {
      const tracks = await daemon.get<Track[]>('/api/tracks?world=live');
      return tracks.some(
        ({ state, identities }) => state === 'confirmed' && identities.some(({ value }) => value === serial),
      );
    }, `${serial} is confirmed`);
    waits.push(Math.round(performance.now() - began));
  }
  const memory = residentMb(pid);
  t.comment(
    `confirmed after ${waits.join(', ')} ms; ${memory.toFixed(0)} MB; ${JSON.stringify(await simState(daemon))}`,
  );
  t.ok(Math.max(...waits) < 10_000, `live tracks are confirmed in time: ${waits}`);
  t.ok(memory < 1_500, `memory is bounded: ${memory} MB`);
  const began = performance.now();
  t.equal(await daemon.end(), 0, JSON.stringify(daemon.lines.slice(-6)));
  t.ok(performance.now() - began < 8_000, `it stops in time: ${performance.now() - began} ms`);
});

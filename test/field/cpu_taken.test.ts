import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import type { Alert } from '../../src/model/alert.ts';
import type { Health, HealthPart } from '../../src/model/health.ts';
import type { Track } from '../../src/model/track.ts';
import { onlyInFull, takeTime, until } from '../support/basics/patience.ts';
import type { Daemon } from '../support/daemon/daemon.ts';
import type { DaemonProcess } from '../support/daemon/daemon_process.ts';
import { fieldBox, radarConfig, textOf } from '../support/daemon/field_box.ts';
import { metricSum } from '../support/daemon/program.ts';
import { flySwarm } from '../support/daemon/swarm.ts';
import { sensorOf } from '../support/daemon/watch.ts';
import { readStream } from '../support/http/stream_reader.ts';

onlyInFull(t);
takeTime(t, 240);

/** The deadline of the sensor is shorter than the pauses of the daemon. */
const config = radarConfig.replace('modality: radar,', 'modality: radar, heartbeat_s: 4,');

async function partsOf(daemon: Daemon): Promise<Map<string, HealthPart>> {
  const { parts } = await daemon.get<Health>('/api/health');
  return new Map(parts.map((part) => [part.name, part]));
}

/** Alerts of the silent radar raised since a time: a machine that starts slowly may have one from before. */
async function silentAlerts(daemon: Daemon, sinceMs: number): Promise<Alert[]> {
  const alerts = await daemon.get<Alert[]>(`/api/alerts?since=${new Date(sinceMs).toISOString()}`);
  return alerts.filter(({ rule_id, subject }) => rule_id === 'sensor_silent' && subject.label === 'mast');
}

/** Longest pause of this process, which sends the reports: where it is starved itself, a sensor is silent indeed. */
function watchPauses(t: Test): () => number {
  let [longestMs, lastMs] = [0, performance.now()];
  const timer = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - lastMs);
    lastMs = performance.now();
  }, 100);
  t.teardown(() => clearInterval(timer));
  return () => longestMs;
}

/** Takes the processor away from the daemon for a while, as a program of higher priority does. */
async function starve(daemon: DaemonProcess, ms: number): Promise<void> {
  daemon.process.kill('SIGSTOP');
  await sleep(ms);
  daemon.process.kill('SIGCONT');
  await partsOf(daemon);
}

t.test('a daemon that keeps getting the processor late says so, and calls no sensor silent', async (t) => {
  const daemon = await fieldBox(t, config).spawn();
  flySwarm(t, await daemon.port('rows'), { count: 5, hz: 5, sensor: 'mast' });
  await sensorOf(daemon, 'mast', ({ state }) => state === 'operational');
  const [sinceMs, pausedMs] = [Date.now(), watchPauses(t)];
  t.notOk((await partsOf(daemon)).has('load'));
  await starve(daemon, 5_500);
  t.notOk((await partsOf(daemon)).has('load'), 'one pause is none');
  for (let pause = 0; pause < 2; pause++) await starve(daemon, 5_500);
  const load = await until(async () => (await partsOf(daemon)).get('load'), 'the load is shown');
  t.match(load, { state: 'degraded', needed: false, text: /the daemon runs up to \d\.\d s late/ });
  const alert = await until(
    async () => (await daemon.get<Alert[]>('/api/alerts')).find(({ rule_id }) => rule_id === 'box.load'),
    'it is alerted',
  );
  t.match(alert, { severity: 'warning', text: /^The box: the daemon runs .* Stop other programs on this box\.$/ });
  t.equal((await partsOf(daemon)).get('core')?.state, 'up');
  const silent = await silentAlerts(daemon, sinceMs);
  if (pausedMs() > 2_000) t.comment(`this machine paused the sender for ${pausedMs().toFixed(0)} ms: not judged`);
  else t.same(silent, [], 'a sensor whose reports wait in the socket is not silent');
  await until(async () => !(await partsOf(daemon)).has('load'), 'it keeps up again', 120_000);
  await until(
    async () => (await daemon.get<Alert>(`/api/alerts/${alert.id}`)).cleared_reason === 'recovered',
    'the alert is over',
  );
  t.equal(await daemon.end(), 0);
});

/** Twice as many busy loops as there are cores, until the test ends. */
function takeProcessor(t: Test): void {
  for (let n = 0; n < 2 * availableParallelism(); n++) {
    const loop = spawn('sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' });
    t.teardown(() => loop.kill('SIGKILL'));
  }
}

t.test('while other programs take all cores, tracks stay fresh and nothing is dropped', async (t) => {
  const daemon = await fieldBox(t, config).spawn();
  const stream = await readStream(t, daemon.url);
  flySwarm(t, await daemon.port('rows'), { count: 50, hz: 5, sensor: 'mast' });
  await stream.when('fifty tracks', () => stream.of('track_new').length >= 50);
  const sinceMs = Date.now();
  takeProcessor(t);
  const from = stream.events.length;
  await sleep(20_000);
  const updates = stream.events.slice(from).filter(({ kind }) => kind === 'track_update');
  const gapMs = Math.max(...updates.slice(1).map(({ arrivedMs }, n) => arrivedMs - (updates[n]?.arrivedMs ?? 0)));
  t.ok(gapMs < 3_000, `tracks were updated at least every ${gapMs.toFixed(0)} ms`);
  t.equal(new Set(updates.map(({ body }) => body.id)).size, 50, 'all of them');
  t.equal((await partsOf(daemon)).get('core')?.state, 'up');
  t.same(await silentAlerts(daemon, sinceMs), []);
  t.equal(metricSum(await textOf(daemon, '/metrics'), 'dunlin_observations_dropped_total'), 0);
  const tracks = await daemon.get<Track[]>('/api/tracks');
  t.same(new Set(tracks.map(({ state }) => state)), new Set(['confirmed']));
  t.equal(await daemon.end(), 0);
});

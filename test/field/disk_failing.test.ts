import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { Alert } from '../../src/model/alert.ts';
import type { LogEvent } from '../../src/model/event.ts';
import type { Health, HealthPart } from '../../src/model/health.ts';
import type { Sensor } from '../../src/model/sensor.ts';
import type { Track } from '../../src/model/track.ts';
import { takeTime, until } from '../support/basics/patience.ts';
import { isFull } from '../support/basics/size.ts';
import type { Daemon } from '../support/daemon/daemon.ts';
import { dunlin } from '../support/daemon/dunlin.ts';
import { fieldBox, radarConfig } from '../support/daemon/field_box.ts';
import { listenAsManager } from '../support/daemon/service_manager.ts';
import { firstOwner, type Member } from '../support/daemon/signed_in.ts';
import { flySwarm } from '../support/daemon/swarm.ts';
import { readStream, type StreamReader } from '../support/http/stream_reader.ts';
import { diskLayer, noDiskLayer } from '../support/store/disk_layer.ts';

takeTime(t, 300);

const skip = noDiskLayer();
const aircraft = 5;
/** The retry of a refused write, and the second of the health. */
const noticedWithinMs = 30_000;

/** A part of the health. On a starved machine the core may be silent for a moment, and the answer is 503. */
async function partOf(daemon: Daemon, name: string): Promise<HealthPart | undefined> {
  const { parts } = await until(() => daemon.get<Health>('/api/health').catch(() => null), 'an answer of the health');
  return parts.find((part) => part.name === name);
}

const post = (daemon: Daemon, name: string) => daemon.post('/api/sensors', { name, modality: 'acoustic' });

const alertsOf = (stream: StreamReader, rule: string): Alert[] =>
  [...stream.of('alert'), ...stream.of('alert_update')]
    .map(({ body }) => body as unknown as Alert)
    .filter(({ rule_id }) => rule_id === rule);

/** Longest time between two updates of tracks from an event on, ms. */
function longestGapMs(stream: StreamReader, from: number): number {
  const atMs = stream.events
    .slice(from)
    .filter(({ kind }) => kind === 'track_update')
    .map(({ arrivedMs }) => arrivedMs);
  return Math.max(...atMs.slice(1).map((at, n) => at - (atMs[n] ?? 0)));
}

async function updates(stream: StreamReader, count: number): Promise<void> {
  const seen = stream.of('track_update').length;
  await stream.when(`${count} updates of tracks`, () => stream.of('track_update').length >= seen + count);
}

async function slowly(t: Test, daemon: Daemon, anna: Member, stream: StreamReader): Promise<void> {
  const from = stream.events.length;
  const key = await anna.key('viewer');
  const beganMs = performance.now();
  t.equal((await anna.ask('DELETE', `/v1/keys/${key.id}`)).status, 200, 'a key is revoked');
  t.ok(performance.now() - beganMs >= 1_900, 'once that is on the disk');
  t.equal((await post(daemon, 'slow')).status, 200, 'a change is saved');
  t.match((await partOf(daemon, 'state'))?.text, /the disk is slow: the last slow change took \d\.\d s/);
  await stream.when('the alert', () => alertsOf(stream, 'box.state').length > 0);
  await updates(stream, 20);
  const gapMs = longestGapMs(stream, from);
  t.ok(gapMs < 20_000, `tracks were updated at least every ${gapMs.toFixed(0)} ms`);
}

async function refusing(t: Test, daemon: Daemon, anna: Member, stream: StreamReader): Promise<void> {
  const refused = await post(daemon, 'refused');
  t.equal(refused.status, 503);
  t.match(refused.body.error, /^The sensor refused was not saved: .*state\.db: disk I\/O error/);
  const signOut = await anna.ask('POST', '/v1/auth/sign-out');
  t.equal(signOut.status, 503, 'a sign-out that cannot be kept is refused');
  t.match(signOut.body.error, /^The end of the session was not saved: .*disk I\/O error/);
  t.equal((await anna.ask('GET', '/v1/me')).status, 200, 'and the session goes on, as the answer says');
  t.match(await partOf(daemon, 'state'), { state: 'degraded', text: /the disk refuses changes: .*disk I\/O error/ });
  const part = await until(async () => {
    const history = await partOf(daemon, 'history');
    return history?.state === 'degraded' ? history : null;
  }, 'the history is degraded');
  t.match(part.text, /cannot be (written|synced)/);
  await updates(stream, 20);
  await stream.when('the alert of the history', () => alertsOf(stream, 'box.history').length > 0);
  const listed = (await daemon.get<Alert[]>('/api/alerts')).map(({ rule_id }) => rule_id);
  t.ok(listed.includes('box.history'), 'an alert that cannot be kept is listed all the same');
}

t.test('a slow disk delays changes alone; one that refuses is reported until it works', { skip }, async (t) => {
  const box = fieldBox(t, radarConfig);
  const layer = diskLayer(t, box.dataDir);
  const daemon = await box.spawn({ env: layer.env });
  const anna = await firstOwner(t, daemon, 'anna', layer.env);
  const stream = await readStream(t, daemon.url);
  flySwarm(t, await daemon.port('rows'), { count: aircraft, hz: 5, sensor: 'mast' });
  await stream.when('five tracks', () => stream.of('track_new').length === aircraft);
  const ids = new Set(stream.of('track_new').map(({ body }) => body.id));

  layer.set({ syncDelayMs: 2_000 });
  await slowly(t, daemon, anna, stream);
  layer.set({ syncFails: 1, writeFails: 1 });
  await refusing(t, daemon, anna, stream);
  layer.set({});
  const isUp = async (name: string) => ((await partOf(daemon, name))?.state ?? 'up') === 'up';
  await until(async () => isUp('history'), 'the history is written again', noticedWithinMs);
  await until(
    async () => !/refuses/.test((await partOf(daemon, 'state'))?.text ?? ''),
    'the state is tried again, though nobody changes anything',
    noticedWithinMs,
  );
  t.equal((await post(daemon, 'after')).status, 200);
  t.equal((await anna.ask('POST', '/v1/auth/sign-out')).status, 200);
  t.equal((await anna.ask('GET', '/v1/me')).status, 401);
  const names = (await daemon.get<Sensor[]>('/api/sensors')).map(({ name }) => name);
  t.ok(names.includes('slow') && names.includes('after') && !names.includes('refused'), `${names}`);
  const tracks = await daemon.get<Track[]>('/api/tracks');
  t.same(new Set(tracks.map(({ id }) => id)), ids, 'the tracks are those from before');
  const silent = alertsOf(stream, 'sensor_silent').filter(({ subject }) => subject.label === 'mast');
  t.same(silent, [], 'the sensor that is received was not called silent');
  t.equal(await daemon.end(), 0);
  t.match(await dunlin(t, 'audit', 'verify', '--data', box.dataDir), { code: 0, out: /^ok/ });
});

if (isFull)
  t.test(
    'a disk that fails now and then damages nothing, and the gap of the history is a row of the log',
    { skip },
    async (t) => {
      const box = fieldBox(t, radarConfig);
      const layer = diskLayer(t, box.dataDir);
      const daemon = await box.spawn({ env: layer.env });
      flySwarm(t, await daemon.port('rows'), { count: 100, hz: 20, sensor: 'mast' });
      const answered = new Map<string, boolean>();
      for (const faults of [{ syncFails: 0.3, writeFails: 0.01 }, { writeFails: 0.05 }, { syncFails: 1 }]) {
        layer.set(faults);
        for (let n = 0; n < 100; n++) {
          const name = `s${answered.size}`;
          answered.set(name, (await post(daemon, name)).status === 200);
        }
      }
      layer.set({ writeFails: 1 });
      await until(async () => {
        const text = await (await fetch(`${daemon.url}/metrics`)).text();
        return /^dunlin_history_dropped_rows_total.* [1-9]/m.test(text);
      }, 'rows are dropped');
      layer.set({});
      const gap = await until(
        async () => (await daemon.get<LogEvent[]>('/api/events?kind=history.gap'))[0],
        'the gap is logged',
        noticedWithinMs,
      );
      t.match(gap.text, /the history has a gap from .* to .*: \d+ rows were dropped while it could not be written/);
      await daemon.end('SIGKILL');
      const after = await box.spawn();
      const names = new Set((await after.get<Sensor[]>('/api/sensors')).map(({ name }) => name));
      const wrong = [...answered].filter(([name, kept]) => names.has(name) !== kept);
      t.same(wrong, [], `${answered.size} changes are as they were answered`);
      t.equal(await after.end(), 0);
      t.match(await dunlin(t, 'audit', 'verify', '--data', box.dataDir), { code: 0, out: /^ok/ });
    },
  );

if (isFull)
  t.test(
    'on a disk that takes two seconds for each sync, the service manager goes on receiving signs of life',
    { skip },
    async (t) => {
      const box = fieldBox(t, radarConfig);
      const layer = diskLayer(t, box.dataDir);
      const socket = join(box.folder, 'notify');
      const { told } = await listenAsManager(t, socket);
      const env = { ...layer.env, NOTIFY_SOCKET: socket, WATCHDOG_USEC: '20000000' };
      const daemon = await box.spawn({ env });
      flySwarm(t, await daemon.port('rows'), { count: 1, hz: 5, sensor: 'mast' });
      layer.set({ syncDelayMs: 2_000 });
      const endMs = performance.now() + 100_000;
      // More than a minute: the head of the audit log is noted once in each, with several syncs.
      const statuses = new Set<number>();
      for (let n = 0; performance.now() < endMs; n++) statuses.add((await post(daemon, `s${n}`)).status);
      t.same(statuses, new Set([200]));
      const pings = told.filter(({ text }) => text === 'WATCHDOG=1').map(({ at }) => at);
      const worstS = Math.max(...pings.slice(1).map((at, n) => at - (pings[n] ?? 0)));
      t.ok(worstS < 20, `signs of life were at most ${worstS.toFixed(1)} s apart`);
      t.match(await partOf(daemon, 'load'), { state: 'degraded', text: /runs up to \d+\.\d s late/ });
      layer.set({});
      t.equal(await daemon.end(), 0);
    },
  );

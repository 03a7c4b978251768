import t from 'tap';
import type { Alert } from '../../src/model/alert.ts';
import type { Sensor } from '../../src/model/sensor.ts';
import type { Track, TrackPoint } from '../../src/model/track.ts';
import { onlyInFull, until } from '../support/basics/patience.ts';
import type { Daemon } from '../support/daemon/daemon.ts';
import { allRows, fieldBox, radarConfig, textOf } from '../support/daemon/field_box.ts';
import { metricSum, runToEnd, sentencesOf } from '../support/daemon/program.ts';
import { flySwarm } from '../support/daemon/swarm.ts';
import { readStream, type StreamReader } from '../support/http/stream_reader.ts';
import { fill, mountRefused, mountSmall } from '../support/store/full_disk.ts';

onlyInFull(t);

type Health = { healthy: boolean; parts: { name: string; state: string; text: string }[] };

const skip = mountRefused();

async function historyPart(daemon: Daemon) {
  const { parts } = await daemon.get<Health>('/api/health');
  return parts.find(({ name }) => name === 'history');
}

/** Alerts about the history that were published in a state. */
const alertsOf = (stream: StreamReader, state: string): Alert[] =>
  [...stream.of('alert'), ...stream.of('alert_update')]
    .map(({ body }) => body as unknown as Alert)
    .filter((alert) => alert.rule_id === 'box.history' && alert.state === state);

t.test(
  'with its disk full the daemon goes on guarding, refuses what it cannot keep, and recovers',
  { skip },
  async (t) => {
    const box = fieldBox(t, radarConfig);
    mountSmall(t, box.dataDir, 16);
    let daemon = await box.spawn();
    const kept = (await daemon.post('/api/sensors', { name: 'before', modality: 'acoustic' })).body.data as Sensor;
    const stream = await readStream(t, daemon.url);
    flySwarm(t, await daemon.port('rows'), { count: 10, hz: 5, sensor: 'mast' });
    await stream.when('ten tracks', () => stream.of('track_new').length === 10);

    const filler = fill(box.dataDir);
    await until(async () => (await historyPart(daemon))?.state === 'degraded', 'the history is degraded');
    const health = await daemon.get<Health>('/api/health');
    t.equal(health.healthy, true, 'the daemon does its job');
    t.match(
      health.parts.find(({ name }) => name === 'history')?.text,
      /cannot be written: its disk is full; rows wait/,
    );

    const shownAs = (state: string) => () =>
      stream.of('health_update').some(({ body }) => {
        const { parts } = body as Health;
        return parts.some((part) => part.name === 'history' && part.state === state);
      });
    await stream.when('the stream says so', shownAs('degraded'));
    await stream.when('an alert is raised', () => alertsOf(stream, 'active').length > 0);
    t.match(alertsOf(stream, 'active'), [{ severity: 'warning', text: /The history: .*its disk is full/ }]);

    const names = Array.from({ length: 20 }, (_, n) => `while full ${n}`);
    const refusals = new Map<string, Awaited<ReturnType<Daemon['post']>>>();
    // The state's own file may have a page or two left; soon it has not.
    for (const name of names) refusals.set(name, await daemon.post('/api/sensors', { name, modality: 'acoustic' }));
    const refused = names.filter((name) => refusals.get(name)?.status !== 200);
    t.ok(refused.length > 0, `${refused.length} of ${names.length} changes were refused`);
    for (const name of refused) {
      const answer = refusals.get(name);
      t.equal(answer?.status, 503);
      t.equal(answer?.body.code, 'unavailable');
      t.match(answer?.body.error, /^The sensor while full \d+ was not saved: the disk of .*state\.db is full/);
    }
    const nowNames = (await daemon.get<Sensor[]>('/api/sensors')).map(({ name }) => name);
    t.same(
      nowNames.filter((name) => refused.includes(name)),
      [],
      'what was refused is not shown',
    );

    const seen = stream.events.length;
    await stream.when('updates of all ten tracks', () => {
      const later = stream.events.slice(seen).filter(({ kind }) => kind === 'track_update');
      return new Set(later.map(({ body }) => body.id)).size === 10;
    });
    t.pass('tracks are still updated on the stream');
    const fullAtMs = Date.now();
    await until(async () => Date.now() > fullAtMs + 2_000, 'two seconds of history wait');

    filler.free();
    await until(async () => (await historyPart(daemon))?.state === 'up', 'the history is written again');
    await stream.when('its alert is over', () => alertsOf(stream, 'cleared').length > 0);
    t.match(alertsOf(stream, 'cleared'), [{ cleared_reason: 'recovered' }]);
    const shown = await daemon.get<{ health: Health }>('/api/picture');
    t.match(shown.health.parts, [{}, { name: 'history', state: 'up' }]);
    const after = await daemon.post('/api/sensors', { name: 'after', modality: 'acoustic' });
    t.equal(after.status, 200, 'changes are kept again');
    t.equal(metricSum(await textOf(daemon, '/metrics'), 'dunlin_history_dropped_rows_total'), 0, 'no row was dropped');
    const [track] = await daemon.get<Track[]>('/api/tracks');
    const points = await daemon.get<TrackPoint[]>(`/api/tracks/${track?.id}/history?limit=1000`);
    t.ok(
      points.some(({ at }) => Math.abs(Date.parse(at) - fullAtMs - 1_000) < 1_500),
      'what was seen meanwhile is in the history',
    );
    t.equal(await daemon.end(), 0);

    daemon = await box.spawn();
    const names2 = (await daemon.get<Sensor[]>('/api/sensors')).map(({ name }) => name);
    t.ok(names2.includes(kept.name) && names2.includes('after'));
    t.same(
      names2.filter((name) => refused.includes(name)),
      [],
      'nothing of what was refused is there after a restart',
    );
    t.ok((await allRows(daemon, '/api/events')).length > 0);
  },
);

t.test('started on a full disk, the daemon says so', { skip }, async (t) => {
  const box = fieldBox(t, radarConfig);
  mountSmall(t, box.dataDir, 4);
  const filler = fill(box.dataDir);
  const args = ['serve', '--config', box.config, '--data', box.dataDir, '--listen', '127.0.0.1:0'];
  const ended = await runToEnd(t, args);
  t.equal(ended.code, 1);
  t.match(sentencesOf(ended.out).at(-1), /disk is full/);
  filler.free();
  const daemon = await box.spawn();
  t.equal(await daemon.end(), 0, 'and starts once there is room');
});

import { connect } from 'node:net';
import t from 'tap';
import type { Detection } from '../../src/model/detection.ts';
import type { LogEvent } from '../../src/model/event.ts';
import type { Sensor } from '../../src/model/sensor.ts';
import type { Track, TrackPoint } from '../../src/model/track.ts';
import { onlyInFull, until } from '../support/basics/patience.ts';
import type { Daemon } from '../support/daemon/daemon.ts';
import { allRows, fieldBox, radarConfig, textOf } from '../support/daemon/field_box.ts';
import { metricSum } from '../support/daemon/program.ts';
import { flySwarm, rowOf } from '../support/daemon/swarm.ts';
import { readStream } from '../support/http/stream_reader.ts';

onlyInFull(t);

const config = `${radarConfig}
  - {name: more rows, transport: udp, address: 127.0.0.1:0, protocol: obs_json}
  - {name: yet more rows, transport: udp, address: 127.0.0.1:0, protocol: obs_json}
`;
const aircraft = 30;

type Ingested = { requests: number; accepted: number; lastMs: number };

/** Posts batches until the daemon does not take them any more. */
async function ingest(daemon: Daemon, counted: Ingested): Promise<void> {
  for (let n = 0; ; n++) {
    const obs = Array.from({ length: 20 }, (_, at) => rowOf(1_000 + at, 'gate', n / 20));
    const { status, body } = await daemon.post('/api/ingest/obs', { obs });
    if (status !== 200) throw new Error(`ingest answered ${status}`);
    counted.accepted += (body.data as { accepted: number }).accepted;
    counted.requests++;
    counted.lastMs = Date.now();
  }
}

t.test('told to stop under load, the daemon ends its streams, loses no row and is gone in time', async (t) => {
  const box = fieldBox(t, config);
  const daemon = await box.spawn();
  const made = await daemon.post('/api/sensors', { name: 'gate', modality: 'radar' });
  const gate = made.body.data as Sensor;

  const streams = await Promise.all(Array.from({ length: 5 }, () => readStream(t, daemon.url)));
  const links = ['rows', 'more rows', 'yet more rows'];
  const swarms = await Promise.all(
    links.map(async (link, n) =>
      flySwarm(t, await daemon.port(link), { from: n * 10, count: 10, hz: 20, sensor: 'mast' }),
    ),
  );
  const counted: Ingested = { requests: 0, accepted: 0, lastMs: 0 };
  const ingesting = ingest(daemon, counted).catch((thrown: Error) => thrown.message);
  await until(async () => {
    const tracks = await daemon.get<Track[]>('/api/tracks');
    const sent = swarms.reduce((sum, swarm) => sum + swarm.sent(), 0);
    if (sent < 1_000 || counted.requests < 50) return false;
    return tracks.filter(({ state }) => state === 'confirmed').length >= aircraft + 20;
  }, 'everything that flies is tracked');
  const before = await textOf(daemon, '/metrics');
  t.equal(metricSum(before, 'dunlin_history_dropped_rows_total'), 0, 'no row was dropped until then');
  t.equal(metricSum(before, 'dunlin_observations_dropped_total'), 0, 'nor an observation');

  const signalledMs = Date.now();
  const code = await daemon.end('SIGTERM');
  const tookMs = Date.now() - signalledMs;
  for (const swarm of swarms) swarm.stop();
  t.equal(code, 0, 'it ends in order');
  t.ok(tookMs < 8_000, `in ${tookMs} ms`);
  await Promise.all(streams.map((stream) => stream.ended));
  t.pass('every stream has ended');
  t.match(await ingesting, /fetch failed|other side closed|ingest answered/, 'and so has the ingest');
  t.same(
    daemon.lines.filter((line) => Number(line.level) >= 40).map((line) => line.msg),
    [],
    'with nothing to warn of',
  );

  const again = await box.spawn();
  t.notMatch(
    again.lines.map((line) => line.msg),
    [/was not shut down properly/],
  );
  const tracks = await again.get<Track[]>('/api/tracks');
  t.equal(tracks.length, aircraft + 20);
  t.ok(
    tracks.every(({ state }) => state === 'lost'),
    'tracks are restored as lost',
  );
  const ages = await Promise.all(
    tracks.map(async ({ id, last_seen_at }) => {
      const points = await again.get<TrackPoint[]>(`/api/tracks/${id}/history?limit=1000`);
      return {
        pointMs: signalledMs - Date.parse(points.at(-1)?.at ?? ''),
        seenMs: signalledMs - Date.parse(last_seen_at),
      };
    }),
  );
  // A track has a point a second; what one waits for the core comes on top.
  const oldestPointMs = Math.max(...ages.map(({ pointMs }) => pointMs));
  t.ok(oldestPointMs < 1_500, `every track has a point of the last second (${oldestPointMs} ms before the signal)`);
  const oldestSeenMs = Math.max(...ages.map(({ seenMs }) => seenMs));
  t.ok(oldestSeenMs < 500, `and its document is of the last moment (${oldestSeenMs} ms before the signal)`);

  const detections = await allRows<Detection>(again, `/api/detections?sensor_id=${gate.id}`);
  t.ok(
    detections.length >= counted.accepted,
    `${counted.accepted} observations were accepted, ${detections.length} are kept`,
  );
  // The request that was being taken when the connection ended may have been counted without an answer.
  t.ok(detections.length <= counted.accepted + 20);
  const events = await allRows<LogEvent>(again, '/api/events');
  t.match(
    events.filter(({ kind }) => kind.startsWith('system.')).map(({ kind }) => kind),
    ['system.start', 'system.stop', 'system.start'],
  );
  t.comment(`stopped in ${tookMs} ms with ${swarms.reduce((sum, swarm) => sum + swarm.sent(), 0)} datagrams sent`);
});

t.test('a second SIGTERM ends a daemon that is still stopping at once', async (t) => {
  const daemon = await fieldBox(t, radarConfig).spawn();
  // A request whose body does not come holds the stop for the second that answers are given to finish.
  const socket = connect(Number(new URL(daemon.url).port), '127.0.0.1');
  t.teardown(() => socket.destroy());
  socket.on('error', () => {});
  const asked = new Promise((resolve) => socket.once('data', resolve));
  socket.write(
    'POST /api/sensors HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n',
  );
  t.match(String(await asked), /^HTTP\/1.1 100/, 'its body is waited for');
  // At once when it says so: it stops within a second, which a busy machine makes a short time.
  let secondMs = Number.NaN;
  daemon.process.stdout?.on('data', (chunk: Buffer) => {
    if (!Number.isNaN(secondMs) || !chunk.includes('SIGTERM: stopping')) return;
    secondMs = performance.now();
    daemon.process.kill('SIGTERM');
  });
  const ending = daemon.end('SIGTERM');
  t.equal(await ending, 1, 'it did not stop in order, and says so');
  t.comment(`gone ${(performance.now() - secondMs).toFixed(0)} ms after the second signal`);
  t.match(daemon.lines.at(-1), { msg: 'SIGTERM was received again: the process exits at once, without a clean stop' });
});

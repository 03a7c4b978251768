import t from 'tap';
import type { Alert } from '../../src/model/alert.ts';
import type { SimState } from '../../src/model/picture.ts';
import type { Recording } from '../../src/model/recording.ts';
import type { Track } from '../../src/model/track.ts';
import { RecordingReader } from '../../src/recording/reader.ts';
import { gapsIn } from '../recording/rig.ts';
import { onlyInFull, takeTime, until } from '../support/basics/patience.ts';
import { must } from '../support/daemon/alerts.ts';
import { spawnDaemon } from '../support/daemon/daemon_process.ts';
import { rowOf } from '../support/daemon/swarm.ts';
import { paced, udpSender } from '../support/links/senders.ts';
import { Aircraft, MavlinkReceiver } from '../support/sky/aircraft.ts';
import { circling } from '../support/sky/flight.ts';
import { SiteAxes } from '../support/sky/site_axes.ts';

onlyInFull(t);
takeTime(t, 120);
const protocols = { rid: 'mavlink', hill: 'obs_json', net: 'obs_json' };
const args = Object.entries(protocols).flatMap(([name, protocol]) => [
  '--link',
  `name=${name},transport=udp,address=127.0.0.1:0,protocol=${protocol}`,
]);
const site = new SiteAxes(47.4, 8.5, 500);
const circle = circling([700, 900, 120], 250, 12);
const intruder = new Aircraft({
  ...{ mac: '60:60:1F:00:00:01', serial: '1581F5FKD2294F000009', from: { lat: 47.41, lon: 8.49 } },
  heights: { altBaroM: null, altGeoM: 620, heightM: 100, heightRef: 0 },
});
const zone = {
  ...{ name: 'apron', kind: 'protected', ceiling_m: 3_000 },
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [8.48, 47.4],
        [8.51, 47.4],
        [8.51, 47.43],
        [8.48, 47.43],
        [8.48, 47.4],
      ],
    ],
  },
};

function plot(second: number): string {
  const [azimuth_deg, elevation_deg, range_m] = site.polarFrom([0, 0, 0], circle(second).place);
  const sigma = { range_m: 5, azimuth_deg: 0.3, elevation_deg: 0.3 };
  const row = { sensor_id: 'radar', report: 'range_bearing', range_m, azimuth_deg, elevation_deg, sigma };
  return `${JSON.stringify(row)}\n`;
}

const shown = ({ id, number, identities, state, classification, position }: Track): unknown => ({
  ...{ id, number, state, classification },
  identities: identities.map(({ type, value }) => `${type} ${value}`).sort(),
  at: position && [position.lat.toFixed(5), position.lon.toFixed(5)],
});
const byNumber = (a: Track, b: Track): number => (a.number < b.number ? -1 : 1);
const raised = (alerts: readonly Alert[]): string[] =>
  alerts.map(({ rule_id, severity, subject }) => `${rule_id} ${severity} ${subject.id}`).sort();

t.test('what was recorded until kill -9 gives the same tracks and alerts as were seen live', async (t) => {
  let daemon = await spawnDaemon(t, { args });
  const { dataDir } = daemon;
  const placement = { lat: 47.4, lon: 8.5, alt_hae_m: 500, max_range_m: 4_000 };
  await must(daemon, '/api/sensors', { name: 'radar', modality: 'radar', placement });
  await must(daemon, '/api/sensors', { name: 'mast', modality: 'remote_id' });
  const send = {
    rid: udpSender(t, await daemon.port('rid')),
    hill: udpSender(t, await daemon.port('hill')),
    net: udpSender(t, await daemon.port('net')),
  };
  const { id } = await must<Recording>(daemon, '/api/recordings', { name: 'night' });
  const again = await daemon.post('/api/recordings', {});
  t.match(again.body, { code: 'conflict', error: /the recording night is running/ });
  t.equal((await daemon.request(`/api/recordings/${id}`, { method: 'DELETE' })).status, 409);

  const receiver = new MavlinkReceiver();
  const began = performance.now();
  let sent = 0;
  await paced(150, 100, async (turn) => {
    const second = (performance.now() - began) / 1000;
    if (turn === 30) await must(daemon, '/api/zones', zone);
    if (turn % 5 === 0) await send.rid(receiver.pack(intruder, intruder.messages(intruder.location(second))));
    if (turn % 10 === 3) await send.hill(plot(second));
    for (let i = 0; i < 3; i++) await send.net(`${JSON.stringify(rowOf(i, 'mast', second))}\n`);
    if (turn % 10 === 7) await must(daemon, '/api/ingest/obs', { obs: [rowOf(40, 'mast', second)] });
    sent += 3 + (turn % 5 === 0 ? 1 : 0) + (turn % 10 === 3 ? 1 : 0);
  });
  // What was heard waits a moment for the thread that writes.
  await new Promise((resolve) => setTimeout(resolve, 400));
  const [tracks, alerts] = [await daemon.get<Track[]>('/api/tracks'), await daemon.get<Alert[]>('/api/alerts')];
  const killedAt = Date.now();
  await daemon.end('SIGKILL');

  daemon = await spawnDaemon(t, { dataDir, args });
  const [kept] = await daemon.get<Recording[]>('/api/recordings');
  t.match(kept, { id, name: 'night', state: 'interrupted', gaps: 0, dropped_records: 0 });
  t.ok(killedAt - Date.parse(kept?.to_at ?? '') < 1_000, 'it is whole to its last second');
  const reader = RecordingReader.open(`${dataDir}/recordings/${id}`);
  t.same(gapsIn(reader), []);
  const records = [...reader.records()];
  t.equal(records.filter(({ kind }) => kind === 'bytes').length, sent, 'every datagram is in it');
  t.equal(records.filter(({ kind }) => kind === 'ingest').length, 15);
  const times = records.map(({ atMs }) => atMs);
  t.same(
    times,
    times.toSorted((a, b) => a - b),
    'in the order of time',
  );

  t.ok(records.filter(({ kind }) => kind === 'step').length > 50);
  await must(daemon, '/api/sim/mode', { mode: 'replay', recording_id: id, rate: 20 });
  await until(async () => (await daemon.get<SimState>('/api/sim')).run === 'completed', 'it is played');
  const [tracksAgain, alertsAgain] = [
    await daemon.get<Track[]>('/api/tracks'),
    await daemon.get<Alert[]>('/api/alerts'),
  ];
  await must(daemon, '/api/sim/mode', { mode: 'live' });
  t.equal(tracks.length, 6);
  t.same(tracksAgain.sort(byNumber).map(shown), tracks.sort(byNumber).map(shown));
  t.ok(alerts.length > 0);
  t.same(raised(alertsAgain), raised(alerts));

  t.equal((await daemon.request(`/api/recordings/${id}`, { method: 'DELETE' })).status, 200);
  t.same(await daemon.get('/api/recordings'), []);
});

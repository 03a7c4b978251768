import t from 'tap';
import type { Recording } from '../../src/model/recording.ts';
import { RecordingReader } from '../../src/worlds/replay/reader.ts';
import { type Daemon, startDaemon } from '../support/daemon.ts';
import { paced, type Send, udpSender } from '../support/senders.ts';

const names = ['one', 'two', 'three'];
const args = names.flatMap((name) => ['--link', `name=${name},transport=udp,address=127.0.0.1:0,protocol=obs_json`]);

function row(turn: number): string {
  const [lat, lon] = [47.39 + turn * 1e-5, 8.54];
  return `${JSON.stringify({ sensor_id: 'mast', report: 'position', lat, lon, alt_hae_m: 500, sigma_m: 5, source_at: null })}\n`;
}

async function begin(daemon: Daemon, body: object = {}): Promise<Recording> {
  const { status, body: said } = await daemon.post('/api/recordings', body);
  if (status !== 200) throw new Error(`${status} ${said.error}`);
  return said.data as Recording;
}

t.test('a recording of three links survives kill -9, whole to its last moment', async (t) => {
  let daemon = await startDaemon(t, { args });
  const { dataDir } = daemon;
  await daemon.post('/api/sensors', {
    name: 'mast',
    modality: 'radar',
    placement: { lat: 47.39, lon: 8.54, alt_hae_m: 500 },
  });
  const sends: Send[] = [];
  for (const name of names) sends.push(udpSender(t, await daemon.port(name)));
  const { id } = await begin(daemon, { name: 'night' });
  t.match((await daemon.post('/api/recordings', {})).body, { code: 'conflict', error: /the recording night goes on/ });
  t.equal((await daemon.request(`/api/recordings/${id}`, { method: 'DELETE' })).status, 409);

  let sent = 0;
  await paced(300, 10, async (turn) => {
    await Promise.all(sends.map((send) => send(row(turn))));
    sent += sends.length;
  });
  const killedAt = Date.now();
  await daemon.end('SIGKILL');

  daemon = await startDaemon(t, { dataDir, args });
  const [kept] = await daemon.get<Recording[]>('/api/recordings');
  t.match(kept, { id, name: 'night', state: 'interrupted', gaps: 0, dropped_records: 0 });
  t.ok(killedAt - Date.parse(kept?.to_at ?? '') < 1_000, 'to the last second');
  const reader = RecordingReader.open(`${dataDir}/recordings/${id}`);
  const counts = new Map<string, number>();
  const times: number[] = [];
  for (const record of reader.records()) {
    times.push(record.atMs);
    if (record.kind === 'bytes') counts.set(record.linkId, (counts.get(record.linkId) ?? 0) + 1);
  }
  t.same(
    times,
    times.toSorted((a, b) => a - b),
    'in the order of time',
  );
  const heard = [...counts.values()].reduce((sum, n) => sum + n, 0);
  t.equal(counts.size, 3);
  t.ok(heard <= sent && heard >= sent - 3 * 50, `${heard} of ${sent}`);
  t.same(reader.gaps(), []);
  const { tables, core } = reader.snapshotAt(reader.span.fromMs);
  t.same(tables.links.map(({ spec }) => (spec as { name: string }).name).sort(), [...names].sort());
  t.ok(tables.sensors.some(({ name }) => name === 'mast'));
  t.equal(core.seed.length, 8);

  t.equal((await daemon.request(`/api/recordings/${id}`, { method: 'DELETE' })).status, 200);
  t.same(await daemon.get('/api/recordings'), []);
});

import t, { type Test } from 'tap';
import type { Alert } from '../../src/model/alert.ts';
import type { LogEvent } from '../../src/model/event.ts';
import type { Recording } from '../../src/model/recording.ts';
import type { Track } from '../../src/model/track.ts';
import { folderOf } from '../support/basics/folder.ts';
import { takeTime, until } from '../support/basics/patience.ts';
import { placeAt } from '../support/basics/place.ts';
import { must, nextAlert } from '../support/daemon/alerts.ts';
import { type Daemon, startDaemon } from '../support/daemon/daemon.ts';
import { trackOf } from '../support/daemon/watch.ts';
import { StreamClient } from '../support/http/stream_client.ts';
import { Drones, hovering } from '../support/sky/drones.ts';

takeTime(t, 200);
const site = { lat: 47.1987, lon: 8.7302 };
const serial = '1581F5FKD2294D000001';

type Box = { daemon: Daemon; stream: StreamClient; drones: Drones };

async function begin(t: Test, dataDir = folderOf(t)): Promise<Box> {
  const box = await beginWithoutZone(t, dataDir);
  await protect(box.daemon);
  return box;
}

async function beginWithoutZone(t: Test, dataDir = folderOf(t)): Promise<Box> {
  const daemon = await startDaemon(t, { dataDir });
  await must(daemon, '/api/sensors', { name: 'mast', modality: 'remote_id' });
  const stream = await StreamClient.open(t, daemon);
  return { daemon, stream, drones: new Drones(t, daemon) };
}

async function protect(daemon: Daemon): Promise<void> {
  await must(daemon, '/api/zones', {
    ...{ name: 'works', kind: 'protected', alarm: { on: ['enter'] } },
    geometry: { type: 'Point', coordinates: [site.lon, site.lat], radius_m: 150 },
  });
}

const isOver = (id: string) => (alert: Alert) => alert.id === id && alert.state === 'cleared';

t.test('a friend by claim alone alarms once, and a person who expects the flight ends it by name', async (t) => {
  const { daemon, stream, drones } = await beginWithoutZone(t);
  await must(daemon, '/api/assets', { name: 'Heron', spec: { remote_id_serial: serial } });
  drones.fly(serial, hovering(placeAt(site, 0, 40)));
  const track = await trackOf(daemon, serial, ({ affiliation }) => affiliation === 'friend');
  t.equal(track.affiliation_basis, 'remote_id');
  // Later than the name: an aircraft whose zone entry is seen first is unknown for a moment.
  await protect(daemon);
  const raised = await nextAlert(stream, ({ steps }) => steps.some(({ rule_id }) => rule_id === 'zone_entry'));
  t.match(raised.text, /telemetry.*expected flight/s);
  const said = await daemon.request(`/api/tracks/${track.id}/affiliation`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-operator': 'J%C3%B6rg%20Weber' },
    body: JSON.stringify({ affiliation: 'friend', reason: 'roof survey' }),
  });
  t.match(said, {
    status: 200,
    body: {
      data: {
        ...{ affiliation: 'friend', affiliation_basis: 'assignment' },
        affiliation_set: { affiliation: 'friend', reason: 'roof survey', by: 'open:Jörg Weber', expires_at: null },
      },
    },
  });
  t.match(await nextAlert(stream, isOver(raised.id)), { cleared_reason: 'friend' });
  const rows = await daemon.get<(LogEvent & { actor: unknown })[]>('/api/events?kind=track.affiliation_set');
  t.match(rows, [{ text: /open:Jörg Weber set T-\d+ as friend/, reason: 'roof survey' }]);
  t.same(await daemon.get('/api/assignments'), [], 'no assignment is made: another track of this name has none');
});

t.test('it ends at its time, and the stranger alarms again', async (t) => {
  const { daemon, stream, drones } = await begin(t);
  drones.fly(serial, hovering(placeAt(site, 0, 40)));
  const { id } = await trackOf(daemon, serial, ({ state }) => state === 'confirmed');
  const raised = await nextAlert(stream, () => true);
  const press = { affiliation: 'friend', reason: 'the press' };
  await must(daemon, `/api/tracks/${id}/affiliation`, press);
  t.match(await nextAlert(stream, isOver(raised.id)), { cleared_reason: 'friend' });
  const expires_at = new Date(Date.now() + 2_000).toISOString();
  await must(daemon, `/api/tracks/${id}/affiliation`, { ...press, expires_at });
  const again = await nextAlert(stream, (alert) => alert.id !== raised.id && alert.state === 'active');
  t.ok(again.raised_at >= expires_at, `${again.raised_at} is not before ${expires_at}`);
  const track = await daemon.get<Track>(`/api/tracks/${id}`);
  t.match(track, { affiliation: 'unknown', affiliation_basis: 'none', affiliation_set: null });
  const ended = await daemon.get<LogEvent[]>('/api/events?kind=track.affiliation_ended');
  t.match(ended, [{ text: /its time limit has passed/ }]);
});

t.test('it is kept over a restart, and a time in the past takes it back', async (t) => {
  const dataDir = folderOf(t);
  const { daemon: before, drones } = await begin(t, dataDir);
  drones.fly(serial, hovering(placeAt(site, 0, 40)));
  const { id } = await trackOf(before, serial, ({ state }) => state === 'confirmed');
  await must(before, `/api/tracks/${id}/affiliation`, { affiliation: 'friend', reason: 'ours' });
  t.equal(await before.end(), 0);
  const daemon = await startDaemon(t, { dataDir });
  const kept = await daemon.get<Track>(`/api/tracks/${id}`);
  t.match(kept, { affiliation: 'friend', affiliation_basis: 'assignment', affiliation_set: { reason: 'ours' } });
  const past = { affiliation: 'friend', reason: 'it has landed', expires_at: '2020-01-01T00:00:00Z' };
  const ended = await must<Track>(daemon, `/api/tracks/${id}/affiliation`, past);
  t.match(ended, { affiliation: 'unknown', affiliation_set: null });
});

t.test('a replay shows it as it was: set, and ended', async (t) => {
  const { daemon, drones } = await begin(t);
  const { id: recordingId } = await must<Recording>(daemon, '/api/recordings', { name: 'expected' });
  drones.fly(serial, hovering(placeAt(site, 0, 40)));
  const { id } = await trackOf(daemon, serial, ({ state }) => state === 'confirmed');
  const survey = { affiliation: 'friend', reason: 'roof survey' };
  await must(daemon, `/api/tracks/${id}/affiliation`, survey);
  const updatedMs = async (): Promise<number> => Date.parse((await daemon.get<Track>(`/api/tracks/${id}`)).updated_at);
  const sinceMs = await updatedMs();
  await until(async () => (await updatedMs()) > sinceMs + 3_000, 'it is observed as a friend for 3 s');
  await must(daemon, `/api/tracks/${id}/affiliation`, { ...survey, expires_at: '2020-01-01T00:00:00Z' });
  await must(daemon, `/api/recordings/${recordingId}/stop`, {});
  await must(daemon, '/api/sim/mode', { mode: 'replay', recording_id: recordingId, rate: 1 });
  const shown = (affiliation: string): Promise<Track> =>
    until(async () => {
      const [track] = await daemon.get<Track[]>('/api/tracks');
      return track?.affiliation === affiliation ? track : null;
    }, `the replayed track is ${affiliation}`);
  t.match(await shown('friend'), { provenance: 'replayed', affiliation_basis: 'assignment', affiliation_set: {} });
  t.match(await shown('unknown'), { provenance: 'replayed', affiliation_set: null });
});

t.test('a name that is none, and a track that is none, are refused with a sentence', async (t) => {
  const daemon = await startDaemon(t);
  for (const name of ['', '%', '%0A', 'x'.repeat(121), '%E2%80%8B']) {
    const { status, body } = await daemon.request('/api/zones', { method: 'POST', headers: { 'x-operator': name } });
    t.match({ status, body }, { status: 400, body: { error: /X-Operator/ } }, JSON.stringify(name));
  }
  const gone = await daemon.request('/api/tracks/5e0f6a52-0d3c-4a11-9c55-0000000000a7/affiliation', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ affiliation: 'friend', reason: 'ours' }),
  });
  t.match(gone, { status: 404, body: { error: /there is no track/ } });
});

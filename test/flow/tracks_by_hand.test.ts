import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { LogEvent } from '../../src/model/event.ts';
import type { Track } from '../../src/model/track.ts';
import { onlyInFull, takeTime, until } from '../support/basics/patience.ts';
import type { Daemon } from '../support/daemon/daemon.ts';
import { fieldBox, radarConfig } from '../support/daemon/field_box.ts';
import { rowOf } from '../support/daemon/swarm.ts';

onlyInFull(t);
takeTime(t, 120);

const unknownId = '11111111-2222-4333-8444-555555555555';

/** Sends what two aircraft say; the second of them names itself by its radio alone. */
async function observe(daemon: Daemon, second: number, aircraft: readonly number[]): Promise<void> {
  const obs = aircraft.map((at) => {
    const row = rowOf(at, 'mast', second);
    const identity = [{ type: 'mac' as const, value: `00:00:00:00:00:0${at}`, transport: 'bt4' as const }];
    return at === 1 ? { ...row, identity } : row;
  });
  await daemon.post('/api/ingest/obs', { obs });
}

async function fly(daemon: Daemon, count: number): Promise<Track[]> {
  let second = 0;
  return until(async () => {
    await observe(daemon, second++ / 10, [0, 1, 2].slice(0, count));
    const tracks = await daemon.get<Track[]>('/api/tracks');
    return tracks.length === count && tracks.every(({ state }) => state === 'confirmed') ? tracks : null;
  }, `${count} aircraft are tracked`);
}

const serialed = (tracks: readonly Track[], at: number): Track | undefined =>
  tracks.find(({ identities }) => identities.some(({ value }) => value === rowOf(at, 'x', 0).identity?.[0]?.value));

t.test('a person says that two tracks are one, or that one is none, and the log says who did', async (t) => {
  const daemon = await fieldBox(t, radarConfig).start();
  const tracks = await fly(daemon, 3);
  const [kept, other] = [serialed(tracks, 0), serialed(tracks, 2)];
  const gone = tracks.find((track) => track !== kept && track !== other);
  if (!kept || !gone || !other) throw new Error('three aircraft are tracked');

  t.equal((await daemon.post(`/api/tracks/${unknownId}/merge`, { into: kept.id })).status, 404);
  t.equal((await daemon.post(`/api/tracks/${gone.id}/merge`, { into: unknownId })).status, 404);
  t.match(await daemon.post(`/api/tracks/${kept.id}/merge`, { into: kept.id }), { status: 409 });
  const two = await daemon.post(`/api/tracks/${other.id}/merge`, { into: kept.id });
  t.match(two, { status: 409, body: { code: 'conflict', error: /each transmits a serial of its own/ } });

  const merged = await daemon.post(`/api/tracks/${gone.id}/merge`, { into: kept.id, reason: 'seen by eye' });
  t.match(merged, { status: 200, body: { data: { id: kept.id, number: kept.number } } });
  t.equal(((merged.body.data as Track).identities ?? []).length, 2, 'it has the names of both');
  t.equal((await daemon.request(`/api/tracks/${gone.id}`)).status, 404, 'at once');
  const [row] = await daemon.get<LogEvent[]>(`/api/events?subject=${gone.id}&kind=track.merged`);
  t.match(row, { actor: { type: 'open' }, reason: 'seen by eye', after: { into: kept.id }, severity: 'notice' });

  t.match(await daemon.post(`/api/tracks/${other.id}/drop`, { reason: 'a kite' }), {
    body: { data: { dropped: true } },
  });
  t.equal((await daemon.request(`/api/tracks/${other.id}`)).status, 404);
  t.equal((await daemon.post(`/api/tracks/${other.id}/drop`, { reason: 'again' })).status, 404);
  const heard = await until(async () => {
    await observe(daemon, 30, [2]);
    return serialed(await daemon.get<Track[]>('/api/tracks'), 2);
  }, 'it is heard again');
  t.not(heard.id, other.id, 'as a new track');
});

t.test('of two tracks that are merged the stricter set affiliation goes on', async (t) => {
  const daemon = await fieldBox(t, radarConfig).start();
  const tracks = await fly(daemon, 2);
  const kept = serialed(tracks, 0);
  const gone = tracks.find((track) => track !== kept);
  if (!kept || !gone) throw new Error('two aircraft are tracked');
  const set = (id: string, affiliation: string): Promise<unknown> =>
    daemon.post(`/api/tracks/${id}/affiliation`, { affiliation, reason: 'seen by eye' });
  await set(kept.id, 'friend');
  await set(gone.id, 'hostile');
  const merged = await daemon.post(`/api/tracks/${gone.id}/merge`, { into: kept.id });
  t.match(merged, { status: 200 });
  const after = await daemon.get<Track>(`/api/tracks/${kept.id}`);
  t.match(after, { affiliation: 'hostile', affiliation_set: { affiliation: 'hostile', reason: 'seen by eye' } });

  const byNumber = await daemon.request(`/api/tracks/${kept.number}`);
  t.match(byNumber, {
    status: 404,
    body: { error: new RegExp(`${kept.number} is the number of a track.*: ${kept.id}`) },
  });
  const rows = await daemon.get<LogEvent[]>('/api/events?kind=track.merged&since=2026-01-01T02:00:00+01:00');
  t.equal(rows.length, 1, 'the plus of an offset needs no encoding');
});

t.test('the evidence of a track is a zip that the log knows of; what is unknown has none', async (t) => {
  const box = fieldBox(t, radarConfig);
  const daemon = await box.start();
  const [track] = await fly(daemon, 2);
  if (!track) throw new Error('an aircraft is tracked');
  const response = await fetch(`${daemon.url}/api/evidence/${track.id}`);
  t.equal(response.headers.get('content-type'), 'application/zip');
  t.match(response.headers.get('content-disposition'), /^attachment; filename="evidence-T-\d+-\d{8}T\d{6}Z.zip"$/);
  const path = join(box.folder, 'evidence.zip');
  writeFileSync(path, Buffer.from(await response.arrayBuffer()));
  t.equal(spawnSync('unzip', ['-t', path]).status, 0);
  const manifest = JSON.parse(spawnSync('unzip', ['-p', path, 'manifest.json'], { encoding: 'utf8' }).stdout);
  const csv = spawnSync('unzip', ['-p', path, 'history.csv'], { encoding: 'utf8' }).stdout;
  t.ok(csv.trim().split('\r\n').length > 1, 'with its points');
  t.match(spawnSync('unzip', ['-p', path, 'detections.jsonl'], { encoding: 'utf8' }).stdout, track.id);
  const [row] = await daemon.get<LogEvent[]>('/api/events?kind=evidence.exported');
  t.match(row, { subject: { id: track.id }, after: { manifest_sha256: manifest.manifest_sha256 } });
  t.match(await daemon.request(`/api/evidence/${unknownId}`), { status: 404, body: { code: 'not_found' } });
  await daemon.end();
  const again = await box.start();
  t.equal((await fetch(`${again.url}/api/evidence/${track.id}`)).status, 200, 'also after a restart');
});

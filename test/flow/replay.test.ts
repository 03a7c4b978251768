import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import t from 'tap';
import type { Alert } from '../../src/model/alert.ts';
import type { Asset } from '../../src/model/asset.ts';
import type { DecisionConfig } from '../../src/model/decision_config.ts';
import type { LogEvent } from '../../src/model/event.ts';
import type { Picture, SimState } from '../../src/model/picture.ts';
import type { Recording } from '../../src/model/recording.ts';
import type { Sensor } from '../../src/model/sensor.ts';
import type { Track } from '../../src/model/track.ts';
import type { WhatIf } from '../../src/model/what_if.ts';
import { onlyInFull, takeTime, until } from '../support/basics/patience.ts';
import { must } from '../support/daemon/alerts.ts';
import { type Daemon, startDaemon } from '../support/daemon/daemon.ts';
import { StreamClient } from '../support/http/stream_client.ts';
import { writeEarlierRecording } from '../support/recording/earlier_recording.ts';
import { hostile, rewritten } from './hostile_recording.ts';
import { alertsInShort, heavens, recordedFlight, seen, squawk, tracksInShort } from './recorded_flight.ts';

onlyInFull(t);
takeTime(t, 420);

const sim = (daemon: Daemon): Promise<SimState> => daemon.get<SimState>('/api/sim');
const act = (daemon: Daemon, what: string, body: object = {}): Promise<SimState> =>
  must<SimState>(daemon, `/api/sim/${what}`, body);

/** What the log of the shown world says of rows that are left out. */
async function refusals(daemon: Daemon): Promise<string[]> {
  const rows = await daemon.get<LogEvent[]>('/api/events?kind=recording.refused');
  return rows.map(({ text }) => text);
}

async function playThrough(daemon: Daemon, recording: Recording): Promise<void> {
  await act(daemon, 'mode', { mode: 'replay', recording_id: recording.id, rate: 20 });
  await until(async () => (await sim(daemon)).run === 'completed', 'it is played to its end');
}

t.test('a recording that kill -9 ended shows the tracks and alerts that were seen live', async (t) => {
  const { daemon, recording, live } = await recordedFlight(t, 15);
  const stream = await StreamClient.open(t, daemon);
  const begun = await act(daemon, 'mode', { mode: 'replay', recording_id: recording.id, rate: 20 });
  t.match(begun, { mode: 'replay', run: 'running', rate: 20, scenario_id: null });
  await stream.next(({ event, data }) => event === 'snapshot' && data.body.mode === 'replay');
  await stream.next(({ event, data }) => event === 'sim_state' && data.body.mode === 'replay');

  await t.test('which goes on to be tracked', async (t) => {
    const sky = await heavens(t, daemon);
    await until(async () => {
      await sky.send.adsb(squawk(1));
      const tracks = await daemon.get<Track[]>('/api/tracks?world=live');
      return tracks.some(({ provenance, state }) => provenance === 'live' && state !== 'lost');
    }, 'the live world hears');
  });

  await until(async () => (await sim(daemon)).run === 'completed', 'it is played to its end');
  const again = await seen(daemon);
  t.equal(live.tracks.length, 6);
  t.same(await refusals(daemon), [], 'every row of it fits');
  t.ok(live.alerts.length > 0);
  t.same(tracksInShort(again.tracks), tracksInShort(live.tracks));
  t.same(alertsInShort(again.alerts), alertsInShort(live.alerts));
  t.same(
    again.tracks.filter(({ affiliation }) => affiliation === 'friend').length,
    2,
    'also of an asset that came then',
  );
  t.ok(again.tracks.every(({ provenance }) => provenance === 'replayed'));
  const picture = await daemon.get<Picture>('/api/picture');
  t.match(picture, { mode: 'replay', environment: 'live', sim: { run: 'completed' } });
  t.same(
    picture.zones.map(({ name }) => name),
    ['apron'],
    'the zone that came while it was recorded',
  );

  await t.test('and what was cannot be changed, while all else can', async (t) => {
    const id = again.tracks[0]?.id;
    const zone = { name: 'x', kind: 'protected', geometry: { type: 'Point', coordinates: [8, 47], radius_m: 100 } };
    const refused: [string, object][] = [
      ['/api/zones', zone],
      ['/api/sensors', { name: 'x', modality: 'radar' }],
      ['/api/assets', { name: 'x' }],
      ['/api/assignments/confirm', { serial: 'x', affiliation: 'friend' }],
      ['/api/catalog/entries', { name: 'x', kind: 'platform', spec: {} }],
      [`/api/tracks/${id}/drop`, { reason: 'x' }],
      [`/api/threats/${id}/acknowledge`, {}],
      [`/api/alerts/${again.alerts[0]?.id}/acknowledge`, {}],
      [`/api/assets/${id}/command`, { verb: 'hold' }],
      ['/api/engagement/propose', { track_id: id }],
    ];
    for (const [path, body] of refused) {
      const { status, body: answer } = await daemon.post(path, body);
      t.match(
        [path, status, answer.error],
        [path, 409, 'the shown world is a replay and cannot be changed: show the live world first'],
      );
    }
    const put = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{}' };
    t.equal((await daemon.request('/api/decision-config', put)).status, 409);
    t.equal((await daemon.request(`/api/recordings/${recording.id}`, { method: 'DELETE' })).status, 409);
    t.not((await daemon.post('/api/engagement/stop_all', { operator: 'anna', reason: 'x' })).status, 409);
    await must(daemon, '/api/holds', { since: '2025-06-01T10:00:00Z', reason: 'x' });
    t.ok((await daemon.get<unknown[]>('/api/scenarios')).length > 0);
    const another = await must<Recording>(daemon, '/api/recordings', {});
    await must(daemon, `/api/recordings/${another.id}/stop`, {});
    t.equal((await daemon.post('/api/sim/inject', {})).status, 400);
  });

  await t.test('a place in it is the same from wherever it is come to', async (t) => {
    const at = async (): Promise<unknown> => {
      const { alerts, threats } = await daemon.get<Picture>('/api/picture');
      // Predictions of the picture are those of the stream's last event with any, up to 1 s old.
      const tracks = await daemon.get<Picture['tracks']>('/api/tracks');
      const told = alerts.map(({ id: _id, ...alert }) => alert);
      return { tracks, told, threats };
    };
    await act(daemon, 'mode', { mode: 'replay', recording_id: recording.id });
    await act(daemon, 'pause');
    const epoch = (await daemon.get<Picture>('/api/picture')).epoch;
    const there = await act(daemon, 'seek', { to_s: 9 });
    t.match(there, { run: 'paused', mode: 'replay' });
    t.not((await daemon.get<Picture>('/api/picture')).epoch, epoch);
    const first = await at();
    await act(daemon, 'seek', { to_s: 3 });
    t.notSame(await at(), first);
    await act(daemon, 'step', { step_s: 6 });
    t.same(await at(), first, 'let pass until then');
    await act(daemon, 'seek', { to_s: 12 });
    await act(daemon, 'seek', { to_s: 9 });
    t.same(await at(), first, 'gone back to');
    const beyond = await daemon.post('/api/sim/seek', { to_s: 3_000 });
    t.match(
      [beyond.status, beyond.body.error],
      [409, /position 3000 s is after the end of the recording night, which is 15\.\d s long/],
    );
    t.match(await sim(daemon), { run: 'paused', mode: 'replay' });
  });

  await t.test('twice it gives the same, byte for byte', async (t) => {
    await playThrough(daemon, recording);
    const first = JSON.stringify(await daemon.get('/api/tracks'));
    await playThrough(daemon, recording);
    t.equal(JSON.stringify(await daemon.get('/api/tracks')), first);
  });

  await t.test('and then the live world is there as it was', async (t) => {
    t.match(await act(daemon, 'mode', { mode: 'live' }), { mode: 'live', run: 'idle' });
    t.equal((await daemon.post('/api/sensors', { name: 'late', modality: 'radar' })).status, 200);
    const nowhere = { mode: 'replay', recording_id: '11111111-2222-4333-8444-555555555555' };
    t.match((await daemon.post('/api/sim/mode', nowhere)).body, { code: 'not_found' });
  });

  await t.test('what another policy would have made of it is told', async (t) => {
    const {
      version: _version,
      updated_at: _at,
      updated_by: _by,
      ...policy
    } = await daemon.get<DecisionConfig>('/api/decision-config');
    const path = `/api/recordings/${recording.id}/what_if`;
    const same = await must<WhatIf>(daemon, path, { config: policy });
    t.same(same.threats, []);
    t.match(same.alerts, { only_recorded: [], only_asked: [] });
    t.ok(same.alerts.both > 0);
    const weights = Object.fromEntries(
      Object.entries(policy.weights).map(([key, value]) => [key, value > 0 ? 100 : value]),
    );
    const stricter = await must<WhatIf>(daemon, path, { config: { ...policy, weights } });
    t.ok(stricter.threats.length > 0);
    t.ok(stricter.threats.every(({ was, is }) => (is?.score ?? 0) >= (was?.score ?? 0)));
    t.same(stricter.policy.asked, { ...policy, weights });
    t.equal((await daemon.get<DecisionConfig>('/api/decision-config')).version, 0, 'nothing was changed');
    t.equal((await daemon.post(path, { config: { ...policy, weights: {} } })).status, 400);
    t.equal((await daemon.post(path.replace(recording.id, begun.mode), { config: policy })).status, 404);
  });
});

t.test('a ring that was cut begins in the middle of things, with the same tracks and alerts', async (t) => {
  const { daemon, recording, live } = await recordedFlight(t, 16, { max_s: 10 });
  t.ok(Date.parse(recording.to_at ?? '') - Date.parse(recording.from_at ?? '') < 14_000, 'it was cut');
  await playThrough(daemon, recording);
  const again = await seen(daemon);
  const known = ({ number, id, identities, affiliation }: Track): string =>
    `${number} ${id} ${affiliation} ${identities.map(({ value }) => value).sort()}`;
  t.same(again.tracks.map(known).sort(), live.tracks.map(known).sort());
  t.ok(
    again.tracks.every(({ provenance }) => provenance === 'replayed'),
    'tracks that were there when the recording began are replayed too',
  );
  t.ok((await daemon.get<Asset[]>('/api/assets')).every(({ provenance }) => provenance === 'replayed'));
  const about = (alerts: readonly Alert[]): string[] => [
    ...new Set(alerts.map(({ rule_id, severity, subject, count }) => `${rule_id} ${severity} ${subject.id} ${count}`)),
  ];
  t.same(about(again.alerts), about(live.alerts));
  const ids = new Set(again.alerts.map(({ id }) => id));
  t.ok(
    live.alerts.every(({ id }) => ids.has(id)),
    'those that were raised before are there',
  );
});

t.test('a recording that somebody changed by hand ends with a sentence, and the box goes on', async (t) => {
  const { daemon, recording } = await recordedFlight(t, 6);
  // The live world hears nothing meanwhile, and its health is to tell of what is played alone.
  for (const { id, name } of await daemon.get<Sensor[]>('/api/sensors'))
    if (name === 'mast') await must(daemon, `/api/sensors/${id}`, { heartbeat_s: 3_600 });
  const folder = `${daemon.dataDir}/recordings/${recording.id}`;
  const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.dunlinrec'));
  const whole = readFileSync(`${folder}/${file}`);
  const play = async (bytes: Buffer): Promise<string> => {
    writeFileSync(`${folder}/${file}`, bytes);
    const { status, body } = await daemon.post('/api/sim/mode', {
      mode: 'replay',
      recording_id: recording.id,
      rate: 20,
    });
    if (status !== 200) return `${status} ${body.error}`;
    return until(async () => {
      const { run } = await sim(daemon);
      return run === 'running' ? null : run;
    }, 'it ends');
  };
  const refused: string[] = [];
  for (const [what, change] of hostile) {
    const outcome = await play(rewritten(whole, change));
    t.match(outcome, /^(completed|failed|4\d\d .+|503 .+)$/, `${what}: ${outcome}`);
    t.equal((await daemon.request('/api/picture?world=live')).status, 200, what);
    t.ok(Array.isArray(await daemon.get('/api/tracks')));
    if (/^(zones|assets|links|sensors|rules|alerts|words|changes|ingest|a policy|a doctrine) /.test(what)) {
      t.equal(outcome, 'completed', `${what}: what fits is played`);
      if ((await refusals(daemon)).length > 0) refused.push(what);
    }
  }
  t.ok(refused.length >= 10, `the log says what is left out: ${refused.join(', ')}`);
  t.equal(await play(whole), 'completed');
  t.same(await refusals(daemon), []);
});

t.test('a recording of an earlier version is played whole', async (t) => {
  const daemon = await startDaemon(t);
  const recording = await must<Recording>(daemon, '/api/recordings', {});
  await must(daemon, `/api/recordings/${recording.id}/stop`, {});
  writeEarlierRecording(`${daemon.dataDir}/recordings/${recording.id}`);
  await playThrough(daemon, recording);
  t.same(await refusals(daemon), []);
  t.equal((await daemon.get<Track[]>('/api/tracks')).length, 6);
  const picture = await daemon.get<Picture>('/api/picture');
  t.same(picture.zones.map(({ name }) => name).sort(), ['apron', 'road']);
  t.equal((await daemon.get<Asset[]>('/api/assets')).length, 3);
});

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { MavlinkEncoder } from '../../src/edge/wire/mavlink/encode.ts';
import { writeGlobalPosition, writeHeartbeat } from '../../src/edge/wire/mavlink/write.ts';
import type { Asset } from '../../src/model/asset.ts';
import type { LogEvent } from '../../src/model/event.ts';
import { folderOf } from '../support/basics/folder.ts';
import { takeTime } from '../support/basics/patience.ts';
import { placeAt } from '../support/basics/place.ts';
import { startDaemon, until } from '../support/daemon/daemon.ts';
import { sensorOf, trackOf, tracksOf } from '../support/daemon/watch.ts';
import { StreamClient } from '../support/http/stream_client.ts';
import { paced, type Send, udpSender } from '../support/links/senders.ts';
import { Aircraft, MavlinkReceiver } from '../support/sky/aircraft.ts';

takeTime(t, 90);

const rid = 'name=rid,transport=udp,address=127.0.0.1:0,protocol=mavlink';
const proven = 'name=fleet,transport=udp,address=127.0.0.1:0,protocol=mavlink,sources_allow=127.0.0.1';
const daemon = await startDaemon(t, { args: ['--link', rid, '--link', proven] });
const send = udpSender(t, await daemon.port('rid'));
const site = { lat: 47.05, lon: 8.3 };
const receiver = new MavlinkReceiver();

async function register(body: object): Promise<Asset> {
  const answer = await daemon.post('/api/assets', { name: 'Heron', ...body });
  if (answer.status !== 200) throw new Error(answer.body.error);
  return answer.body.data as Asset;
}

/** Flies and tells where it is, four times a second, from its second `from` on. */
function fly(aircraft: Aircraft, from: number, seconds: number): Promise<void> {
  return paced(seconds * 4, 250, (turn) =>
    send(receiver.pack(aircraft, aircraft.messages(aircraft.location(from + turn / 4)))),
  );
}

/** A vehicle of system 42 over the link that proves its senders. */
function vehicle(say: Send) {
  const encoder = new MavlinkEncoder({ sysid: 42, compid: 1 });
  const beat = writeHeartbeat({
    type: 2,
    autopilot: 3,
    baseMode: 209,
    customMode: 4,
    systemStatus: 4,
    mavlinkVersion: 3,
  });
  return async (place: { lat: number; lon: number }): Promise<void> => {
    await say(encoder.encode(beat));
    const motion = { vNorthMps: 0, vEastMps: 0, vDownMps: 0, headingDeg: 0 };
    const heights = { altMslM: 500, relativeAltM: 60 };
    await say(
      encoder.encode(
        writeGlobalPosition({ timeBootMs: 1, latDeg: place.lat, lonDeg: place.lon, ...heights, ...motion }),
      ),
    );
  };
}

t.test(
  'a registered serial is a friend by its claim, and in the very next delta after its end it is not',
  async (t) => {
    const aircraft = new Aircraft({ mac: '60:60:1F:00:01:01', serial: '1581F5FKD2294B000001', from: site });
    const { serial } = aircraft.flight;
    await fly(aircraft, 0, 2);
    t.match(await trackOf(daemon, serial), { affiliation: 'unknown', affiliation_basis: 'none', asset_id: null });
    const stream = await StreamClient.open(t, daemon);
    const asset = await register({ spec: { remote_id_serial: serial } });
    const { id } = await trackOf(daemon, serial);
    const friend = await stream.next(({ data }) => data.body.id === id && data.body.affiliation === 'friend');
    t.match(friend.data.body, { affiliation_basis: 'remote_id', asset_id: asset.id });
    await fly(aircraft, 2, 1);
    t.match(await trackOf(daemon, serial), { affiliation: 'friend', affiliation_basis: 'remote_id', flags: [] });

    const at = stream.events.length;
    await daemon.request(`/api/assets/${asset.id}`, { method: 'DELETE' });
    const gone = await stream.next(({ event }) => event === 'asset_removed');
    const lost = await stream.next(({ data }) => data.body.id === id && data.body.affiliation === 'unknown');
    t.match(lost.data.body, { affiliation_basis: 'none', asset_id: null });
    const between = stream.events.slice(at).filter(({ data }) => data.seq > gone.data.seq && data.seq < lost.data.seq);
    t.ok(
      between.every(({ data }) => data.at === lost.data.at),
      'in the same delta',
    );

    const rows = await daemon.get<LogEvent[]>(`/api/events?subject=${id}`);
    t.same(
      rows.map(({ kind, severity }) => `${kind} ${severity}`),
      ['track.affiliation', 'track.affiliation', 'track.confirmed', 'track.new'].map((kind) => `${kind} info`),
    );
    t.match(rows[0], { before: { affiliation: 'friend', asset_id: asset.id }, after: { affiliation: 'unknown' } });
    t.match(rows[1], { before: { affiliation: 'unknown' }, after: { affiliation: 'friend', asset_id: asset.id } });
    t.match(rows[2], { after: { affiliation: 'unknown', integrity: { verdict: 'unchecked' } } });
    t.notOk(
      stream.events.some(({ event }) => event === 'log'),
      'nobody is called to look',
    );
    const folder = folderOf(t);
    const answer = await fetch(`${daemon.url}/api/evidence/${id}`);
    writeFileSync(join(folder, 'evidence.zip'), Buffer.from(await answer.arrayBuffer()));
    t.equal(spawnSync('unzip', ['-q', 'evidence.zip'], { cwd: folder }).status, 0);
    const log = readFileSync(join(folder, 'log.jsonl'), 'utf8').trim().split('\n');
    const logged = log.map((line) => JSON.parse(line) as LogEvent);
    const ofAsset = ['asset.deleted', 'asset.created'];
    t.same(
      logged.map(({ kind }) => kind).filter((kind) => ofAsset.includes(kind)),
      ofAsset,
      'what was done to the asset it was held for, also after its end',
    );
    t.same(
      logged,
      [...logged].sort((a, b) => b.seq - a.seq),
    );
    t.match(JSON.parse(readFileSync(join(folder, 'policy.jsonl'), 'utf8')), {
      version: 0,
      document: { posture: 'normal' },
    });
  },
);

t.test('a serial that is heard in two places is nobody’s, and told of once a track', async (t) => {
  const own = new Aircraft({ mac: '60:60:1F:00:02:01', serial: '1581F5FKD2294B000002', from: placeAt(site, 0, 3_000) });
  const { serial } = own.flight;
  const asset = await register({ name: 'Cloned', spec: { remote_id_serial: serial } });
  await fly(own, 0, 3);
  t.match(await trackOf(daemon, serial), { affiliation: 'friend', asset_id: asset.id });
  const clone = new Aircraft({ mac: '60:60:1F:00:02:02', serial, from: placeAt(site, 90, 9_000) });
  await Promise.all([fly(own, 3, 4), fly(clone, 0, 4)]);
  const tracks = await until(async () => {
    const found = await tracksOf(daemon, serial);
    return found.length === 2 && found.every(({ affiliation }) => affiliation === 'unknown') ? found : null;
  }, 'both are unknown');
  for (const track of tracks) {
    t.match(track, { affiliation_basis: 'none', asset_id: null });
    t.ok(track.flags.includes('id_duplicate'));
  }
  await Promise.all([fly(own, 7, 2), fly(clone, 4, 2)]);
  const events = await until(async () => {
    const found = await daemon.get<{ subject: { id: string }; severity: string; text: string }[]>(
      '/api/events?kind=asset.cloned',
    );
    return found.length >= 2 ? found : null;
  }, 'it is told');
  t.equal(events.length, 2, 'once a track, not once a second');
  t.match(events[0], { severity: 'warning', text: /Cloned/ });
});

t.test('own telemetry makes the friend; where it is not, its serial is a clone', async (t) => {
  const hover = { speedMps: 0, from: placeAt(site, 200, 6_000) };
  const own = new Aircraft({ mac: '60:60:1F:00:03:01', serial: '1581F5FKD2294B000003', ...hover });
  const { serial } = own.flight;
  const asset = await register({
    name: 'Speaker',
    spec: { remote_id_serial: serial, mavlink: { sysid: 42 } },
  });
  const link = { name: 'own', transport: 'udp', address: '127.0.0.1:0', protocol: 'mavlink', issued_for: asset.id };
  await daemon.post('/api/links', { ...link, sources_allow: ['127.0.0.1'] });
  // Anybody's autopilot says that it is system 42; on a link that was issued for nobody that proves nothing.
  const stranger = vehicle(udpSender(t, await daemon.port('fleet')));
  await paced(8, 250, () => stranger(placeAt(site, 10, 8_000)));
  t.match(await daemon.get(`/api/assets/${asset.id}`), { connection: 'never' });
  const say = vehicle(udpSender(t, await daemon.port('own')));
  await paced(12, 250, async (turn) => {
    await say(hover.from);
    if (turn % 2 === 0) await send(receiver.pack(own, own.messages(own.location(0))));
  });
  const friend = await until(async () => {
    const tracks =
      await daemon.get<{ asset_id: string; affiliation: string; affiliation_basis: string }[]>('/api/tracks');
    const mine = tracks.filter(({ asset_id }) => asset_id === asset.id);
    return mine.length > 0 && mine.every(({ affiliation }) => affiliation === 'friend') ? mine : null;
  }, 'it is a friend');
  t.ok(
    friend.every(({ affiliation_basis }) => affiliation_basis === 'telemetry'),
    JSON.stringify(friend),
  );
  t.match(await daemon.get(`/api/assets/${asset.id}`), { connection: 'online' });

  const clone = new Aircraft({ mac: '60:60:1F:00:03:09', serial, speedMps: 0, from: placeAt(site, 20, 9_000) });
  await paced(16, 250, async (turn) => {
    await say(hover.from);
    if (turn % 2 === 0) await send(receiver.pack(clone, clone.messages(clone.location(0))));
  });
  const far = await until(async () => {
    await say(hover.from);
    const found = await tracksOf(daemon, serial);
    return found.find(({ position }) => position !== null && Math.abs(position.lat - clone.flight.from.lat) < 0.01);
  }, 'the clone is a track');
  t.match(far, { affiliation: 'unknown', asset_id: null });
  t.ok(far.flags.includes('id_duplicate'));
  const near = (await daemon.get<{ asset_id: string; affiliation: string }[]>('/api/tracks')).filter(
    ({ asset_id }) => asset_id === asset.id,
  );
  t.match(near, [{ affiliation: 'friend' }], 'who speaks over the proven link stays the friend');
});

t.test('what a registered platform carries is listed as sensors, and cannot be deleted there', async (t) => {
  const place = { lat: 47.06, lon: 8.31, alt_hae_m: 500 };
  const post = await register({ name: 'Ridge radar', kind: 'sensor', spec: { model: 'EchoGuard' } });
  t.equal(
    (await daemon.post(`/api/assets/${post.id}`, { spec: { model: 'EchoGuard' }, placement: place })).status,
    200,
  );
  const radar = await sensorOf(daemon, 'Ridge radar');
  t.match(radar, {
    modality: 'radar',
    declared_by: 'asset',
    asset_id: post.id,
    placement: { ...place, max_range_m: 1000 },
  });
  const quad = await register({
    name: 'Scout',
    spec: { payloads: [{ kind: 'camera_eo', slot: 'nose' }, { kind: 'winch' }] },
  });
  const camera = await sensorOf(daemon, 'Scout nose');
  t.match(camera, { modality: 'camera', declared_by: 'payload', asset_id: quad.id, placement: null });
  const refused = await daemon.request(`/api/sensors/${camera.id}`, { method: 'DELETE' });
  t.match(refused, { status: 409, body: { error: /the asset Scout/ } });
  t.match(await daemon.request(`/api/sensors/${quad.id}`, { method: 'DELETE' }), {
    status: 409,
    body: { error: /the asset Scout/ },
  });
  await daemon.request(`/api/assets/${quad.id}`, { method: 'DELETE' });
  const left = await daemon.get<{ name: string }[]>('/api/sensors');
  t.notOk(left.some(({ name }) => name === 'Scout nose'));
});

t.test('an assignment holds until it expires', async (t) => {
  const aircraft = new Aircraft({
    mac: '60:60:1F:00:05:01',
    serial: '1581F5FKD2294B000005',
    from: placeAt(site, 270, 4_000),
  });
  const { serial } = aircraft.flight;
  await fly(aircraft, 0, 2);
  const expires_at = new Date(Date.now() + 2_500).toISOString();
  await daemon.post('/api/assignments/confirm', { serial, affiliation: 'hostile', expires_at });
  t.match(await trackOf(daemon, serial), { affiliation: 'hostile', affiliation_basis: 'assignment' });
  await trackOf(daemon, serial, ({ affiliation }) => affiliation === 'unknown');
  t.match(await daemon.get('/api/assignments'), [{ active: false, expires_at, version: 2 }]);
});

t.test('links that were issued for an asset alone go with it, and its assignment stays as history', async (t) => {
  const asset = await register({ name: 'Guest', spec: { remote_id_serial: '1581F5FKD2294B000006' } });
  const spec = { transport: 'udp', address: '127.0.0.1:0', protocol: 'mavlink' };
  const made = await daemon.post('/api/links', { name: 'guest', issued_for: asset.id, ...spec });
  t.match(made, { status: 200, body: { data: { issued_for: asset.id } } });
  await daemon.post('/api/assignments', { asset_id: asset.id, affiliation: 'neutral' });
  await daemon.request(`/api/assets/${asset.id}`, { method: 'DELETE' });
  await until(
    async () => !(await daemon.get<{ name: string }[]>('/api/links')).some(({ name }) => name === 'guest'),
    'its link is gone',
  );
  t.match(await daemon.get('/api/assignments'), [{ asset_id: asset.id, affiliation: 'neutral', active: false }]);
});

import { join } from 'node:path';
import t, { type Test } from 'tap';
import { writeProtobufEvent } from '../../src/edge/wire/cot/write_protobuf.ts';
import type { Asset } from '../../src/model/asset.ts';
import type { Track } from '../../src/model/track.ts';
import { folderOf } from '../support/basics/folder.ts';
import { takeTime } from '../support/basics/patience.ts';
import { metresBetween, placeAt } from '../support/basics/place.ts';
import { startDaemon, until } from '../support/daemon/daemon.ts';
import { detections, linkOf, sensorOf, trackOf } from '../support/daemon/watch.ts';
import { StreamClient } from '../support/http/stream_client.ts';
import { foreignEvent } from '../support/links/cot_events.ts';
import { paced, type Send, tcpHost, tcpSender, udpSender } from '../support/links/senders.ts';

takeTime(t, 90);

const site = { lat: 60.2, lon: 24.9 };
const mesh = 'name=mesh,transport=udp,address=127.0.0.1:0,protocol=cot';
const far = await tcpHost(t);
const links = [
  mesh,
  'name=own,transport=udp,address=127.0.0.1:0,protocol=cot,sources_allow=127.0.0.1',
  `name=server,transport=tcp_client,address=127.0.0.1:${far.port},protocol=cot,silence_s=600`,
  'name=peers,transport=tcp_server,address=127.0.0.1:0,protocol=cot,silence_s=600',
];
const daemon = await startDaemon(t, { args: links.flatMap((link) => ['--link', link]) });

/** Sends five events, a second apart by the sender's clock, of an aircraft that flies north at 10 m/s. */
async function fly(send: Send, uid: string, type: string, from = site): Promise<{ lat: number; lon: number }> {
  const beginMs = Date.now() - 4_000;
  let last = from;
  await paced(5, 50, async (turn) => {
    last = placeAt(from, 0, 10 * turn);
    const timeMs = beginMs + turn * 1_000;
    const moving = { ...last, haeM: 120, ceM: 5, leM: 8, course: 0, speed: 10 };
    await send(foreignEvent({ uid, type, callsign: `CALL ${uid}`, timeMs, ...moving }));
  });
  return last;
}

function isConfirmedAt(place: { lat: number; lon: number }) {
  return ({ state, position }: Track) =>
    state === 'confirmed' && position !== null && metresBetween(position, place) < 20;
}

t.test('an aircraft of the TAK mesh is a track, its affiliation a claim, and clients learn both', async (t) => {
  const stream = await StreamClient.open(t, daemon);
  const last = await fly(udpSender(t, await daemon.port('mesh')), 'mesh.1', 'a-f-A-M-H-Q');
  const track = await trackOf(daemon, 'mesh.1', isConfirmedAt(last));
  t.match(track, { cooperative: 'coop_only', affiliation: 'unknown', affiliation_basis: 'none', asset_id: null });
  t.match(track.classification, [{ type: 'multirotor' }]);
  t.match(track.claims, [{ source: 'TAK', says: 'friend' }]);
  t.equal(track.claims.length, 1);
  t.same(
    track.identities.map(({ type, value }) => `${type} ${value}`),
    ['external mesh.1', 'callsign CALL mesh.1'],
  );
  const news = await stream.next(({ event, data }) => event === 'track_new' && data.body.id === track.id);
  t.match(news.data.body, { claims: [{ source: 'TAK', says: 'friend' }], affiliation: 'unknown' });
  const [contributor] = track.contributors;
  const sensor = await sensorOf(daemon, 'mesh 127.0.0.1', ({ id }) => id === contributor?.sensor_id);
  t.match(sensor, { modality: 'external', state: 'operational' });
});

t.test('a claim that changes is an update, and the affiliation stays', async (t) => {
  const send = udpSender(t, await daemon.port('mesh'));
  await fly(send, 'mesh.2', 'a-f-A-M-H-Q', placeAt(site, 90, 2_000));
  const track = await trackOf(daemon, 'mesh.2', ({ state }) => state === 'confirmed');
  const stream = await StreamClient.open(t, daemon);
  await fly(send, 'mesh.2', 'a-h-A-M-H-Q', placeAt(site, 90, 2_000));
  const isOfTrack = (body: { id?: unknown; claims?: unknown }): boolean => body.id === track.id && Boolean(body.claims);
  const news = await stream.next(({ data }) => isOfTrack(data.body));
  t.match(news.data.body, { claims: [{ source: 'TAK', says: 'hostile' }] });
  t.match(await trackOf(daemon, 'mesh.2'), { affiliation: 'unknown', claims: [{ says: 'hostile' }] });
});

t.test('aircraft of a TAK server, and of one that dials in, are tracks too', async (t) => {
  const dialled = await tcpSender(t, await daemon.port('peers'));
  for (const [n, send] of [far.send, dialled].entries()) {
    const last = await fly(send, `stream.${n}`, 'a-h-A-M-F-Q', placeAt(site, 180, 2_000 * (n + 1)));
    const track = await trackOf(daemon, `stream.${n}`, isConfirmedAt(last));
    t.match(track, { affiliation: 'unknown', affiliation_basis: 'none', claims: [{ says: 'hostile' }] });
  }
});

t.test('protobuf of the mesh makes a track', async (t) => {
  const send = udpSender(t, await daemon.port('mesh'));
  const place = placeAt(site, 270, 2_000);
  await paced(4, 50, async (turn) => {
    const timeMs = Date.now() - 4_000 + turn * 1_000;
    const point = { ...placeAt(place, 0, turn), haeM: 90 };
    const times = { timeMs, startMs: timeMs, staleMs: timeMs + 30_000 };
    await send(writeProtobufEvent({ uid: 'proto.1', type: 'a-n-A-C', how: 'm-g', ...times, point, detail: [] }));
  });
  const track = await trackOf(daemon, 'proto.1', ({ state }) => state === 'confirmed');
  t.match(track, { claims: [{ says: 'neutral' }], classification: [{ type: 'crewed_aircraft', confidence: 0.7 }] });
});

t.test('what is not taken is counted: echoes, other events, noise, and events that hold no more', async (t) => {
  const before = (await linkOf(daemon, 'own')).rejects;
  const send = udpSender(t, await daemon.port('own'));
  const now = () => ({ timeMs: Date.now(), ...site });
  await send(foreignEvent({ uid: 'dunlin.0.1', ...now() }));
  await send(foreignEvent({ uid: 'person', type: 'a-f-G-U-C', ...now() }));
  await send('hello');
  await send(foreignEvent({ uid: 'fresh', ...now() }));
  await send(foreignEvent({ uid: 'stale', ...now(), timeMs: Date.now() - 60_000 }));
  const { rejects } = await until(async () => {
    const link = await linkOf(daemon, 'own');
    return link.rx_msgs >= 2 ? link : null;
  }, 'the two events in the air are counted');
  t.equal(rejects.not_allowed - before.not_allowed, 1);
  t.equal(rejects.unknown_type - before.unknown_type, 1);
  t.equal(rejects.malformed - before.malformed, 1);
  const refused = await until(async () => {
    const found = await detections(daemon, '');
    return found.find(({ rejected_by }) => rejected_by === 'too_old') ?? null;
  }, 'the stale event is in the history');
  t.match(refused, { track_id: null, identity: [{ type: 'external', value: 'stale' }] });
});

t.test('a uid of an asset makes a friend by claim, and only over a link that proves its sender', async (t) => {
  const body = { name: 'Heron TAK', spec: { cot_uid: 'heron.uid' } };
  const answer = await daemon.post('/api/assets', body);
  t.equal(answer.status, 200, answer.body.error ?? 'created');
  const asset = answer.body.data as Asset;
  t.equal((await daemon.post('/api/assets', { ...body, name: 'Second' })).status, 409, 'a uid is of one asset');

  const open = udpSender(t, await daemon.port('mesh'));
  const [near, away] = [placeAt(site, 45, 5_000), placeAt(site, 45, 9_000)];
  await fly(open, 'heron.uid', 'a-f-A-M-H-Q', near);
  const forged = await trackOf(daemon, 'heron.uid', ({ state }) => state === 'confirmed');
  t.match(forged, { affiliation: 'unknown', affiliation_basis: 'none', asset_id: null });

  await fly(udpSender(t, await daemon.port('own')), 'heron.uid', 'a-h-A-M-H-Q', away);
  const isOther = (track: Track) => track.id !== forged.id && track.state === 'confirmed';
  const own = await until(async () => {
    const tracks = await daemon.get<Track[]>('/api/tracks');
    return (
      tracks.find((track) => isOther(track) && track.identities.some(({ value }) => value === 'heron.uid')) ?? null
    );
  }, 'the proven sender has a track of its own');
  t.match(own, { affiliation: 'friend', affiliation_basis: 'remote_id', asset_id: asset.id });
  t.match(own.claims, [{ says: 'hostile' }], 'what TAK says of it decides nothing');
  const tracks = await daemon.get<Track[]>('/api/tracks');
  t.match(
    tracks.find(({ id }) => id === forged.id),
    { affiliation: 'unknown', asset_id: null },
  );
});

t.test('a restart keeps the claim, and the track goes on under its number', async (t: Test) => {
  const dataDir = join(folderOf(t, { data: {} }), 'data');
  const args = ['--link', mesh];
  const first = await startDaemon(t, { dataDir, args });
  await fly(udpSender(t, await first.port('mesh')), 'kept.1', 'a-n-A-M-H-Q');
  const before = await trackOf(first, 'kept.1', ({ state }) => state === 'confirmed');
  t.equal(await first.end(), 0);
  const second = await startDaemon(t, { dataDir, args });
  const left = await trackOf(second, 'kept.1');
  t.match(left, { id: before.id, state: 'lost' });
  t.same(left.claims, before.claims, 'with the time of its first statement');
  await fly(udpSender(t, await second.port('mesh')), 'kept.1', 'a-n-A-M-H-Q');
  const again = await trackOf(second, 'kept.1', ({ state }) => state === 'confirmed');
  t.match(again, { id: before.id, number: before.number });
  t.same(again.claims, before.claims);
});

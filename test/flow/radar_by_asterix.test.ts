import t from 'tap';
import type { Link } from '../../src/model/link.ts';
import type { Sensor } from '../../src/model/sensor.ts';
import type { Track } from '../../src/model/track.ts';
import { startDaemon, until } from '../support/daemon/daemon.ts';
import { detectionsOf, linkOf, sensorOf, trackOf } from '../support/daemon/watch.ts';
import { asterixBlock, northRecord, plotRecord, trackRecord } from '../support/links/asterix_blocks.ts';
import { udpSender } from '../support/links/senders.ts';

const site = { lat: 47.2, lon: 8.73, altMslM: 565 };
const TURN_S = 1;

/** Seconds since midnight, UTC: ASTERIX has no date. */
const timeOfDayS = (): number => (Date.now() / 1000) % 86_400;

t.test('plots of a turning radar over UDP become a track, and its messages a sensor with a place', async (t) => {
  const daemon = await startDaemon(t, {
    args: ['--link', 'name=mast,transport=udp,address=127.0.0.1:0,protocol=asterix'],
  });
  const send = udpSender(t, await daemon.port('mast'));
  let turn = 0;
  const turnOnce = (): void => {
    const timeS = timeOfDayS();
    send(asterixBlock(34, northRecord({ timeS, turnS: TURN_S, isNoGo: false, site })));
    const drone = { rangeM: 2_000 - 15 * turn, azimuthDeg: 70, altMslM: 650, track: 11 };
    const bird = { rangeM: 1_200, azimuthDeg: 91, codes: [19] };
    send(asterixBlock(48, plotRecord({ timeS, ...drone }), plotRecord({ timeS, ...bird })));
    turn++;
  };
  const timer = setInterval(turnOnce, TURN_S * 1_000);
  t.teardown(() => clearInterval(timer));
  const track = await until(async () => {
    const tracks = await daemon.get<Track[]>('/api/tracks');
    return (
      tracks.find(
        ({ state, identities }) => state === 'confirmed' && identities.some(({ value }) => value === '204/17#11'),
      ) ?? null
    );
  }, 'the plots of the drone are a confirmed track');
  t.match(track, { cooperative: 'non_coop_only', identities: [{ type: 'external', transport: 'network' }] });
  t.ok(Math.abs((track.position?.lat ?? 0) - 47.206) < 0.01, 'it is near the radar');
  const bird = await until(async () => {
    const tracks = await daemon.get<Track[]>('/api/tracks');
    return tracks.find(({ classification }) => classification[0]?.type === 'bird') ?? null;
  }, 'the class of the radar is on a track without a number');
  t.match(bird.classification, [{ type: 'bird', confidence: 0.8 }]);
  const sensor = (await sensorOf(daemon, 'mast 204/17')) as Sensor;
  t.match(sensor, { modality: 'radar', state: 'operational', detection: { rotating: true } });
  t.ok(Math.abs((sensor.placement?.lat ?? 0) - site.lat) < 1e-4 && sensor.placement?.alt_hae_m !== undefined);
  send(asterixBlock(34, northRecord({ timeS: timeOfDayS(), isNoGo: true })));
  await until(async () => ((await sensorOf(daemon, 'mast 204/17')) as Sensor).state === 'fault', 'it reports a fault');
});

t.test('a system track is a track of another system, and a simulated one is refused', async (t) => {
  const daemon = await startDaemon(t, {
    args: ['--link', 'name=atc,transport=udp,address=127.0.0.1:0,protocol=asterix'],
  });
  const send = udpSender(t, await daemon.port('atc'));
  const flying = { track: 4711, lat: 47.2, lon: 8.74, eastMps: -15, northMps: 11, altHaeM: 625 };
  const timer = setInterval(() => {
    const timeS = timeOfDayS();
    send(asterixBlock(62, trackRecord({ timeS, ...flying })));
    send(asterixBlock(62, trackRecord({ timeS, ...flying, track: 9, lat: 47.3, status: [1, 0x80] })));
  }, 300);
  t.teardown(() => clearInterval(timer));
  const tracks = await until(async () => {
    const found = await daemon.get<Track[]>('/api/tracks');
    return found.some(({ state }) => state === 'confirmed') ? found : null;
  }, 'a confirmed track');
  t.equal(tracks.length, 1);
  t.match(tracks[0], { identities: [{ type: 'external', value: '204/50#4711' }], integrity: { verdict: 'unchecked' } });
  t.match(await sensorOf(daemon, 'atc 204/50'), { modality: 'external' });
  const link = (await linkOf(daemon, 'atc')) as Link;
  t.ok(link.rejects.not_allowed > 0);
  t.equal(link.rejects.malformed, 0);
});

t.test('a system track keeps its number over a restart, on its link', async (t) => {
  const args = ['--link', 'name=atc,transport=udp,address=127.0.0.1:0,protocol=asterix'];
  const fly = async (dataDir?: string) => {
    const daemon = await startDaemon(t, { args, ...(dataDir === undefined ? {} : { dataDir }) });
    const send = udpSender(t, await daemon.port('atc'));
    const beganMs = Date.now();
    const timer = setInterval(() => {
      send(asterixBlock(62, trackRecord({ timeS: timeOfDayS(), track: 4711, lat: 47.2, lon: 8.74 })));
    }, 200);
    t.teardown(() => clearInterval(timer));
    const fits = ({ state, last_seen_at }: Track) => state === 'confirmed' && Date.parse(last_seen_at) > beganMs;
    const track = await trackOf(daemon, '204/50#4711', fits);
    clearInterval(timer);
    return { daemon, track };
  };
  const before = await fly();
  // The history keeps what was published a second ago.
  await detectionsOf(before.daemon, `track_id=${before.track.id}`, 1);
  await before.daemon.end();
  const after = await fly(before.daemon.dataDir);
  t.match(after.track, { id: before.track.id, number: before.track.number });
});

t.test('options of a link are checked, changed as a whole, and hold over a restart', async (t) => {
  const daemon = await startDaemon(t);
  const body = { name: 'atc', transport: 'udp', address: '127.0.0.1:0', protocol: 'asterix' };
  const options = { editions: { '062': '1.20' }, sources: { '204/17': 'north' } };
  const refused = async (more: object, wanted: RegExp) => {
    const { status, body: answer } = await daemon.post('/api/links', { ...body, ...more });
    t.match([status, answer.error], [400, wanted]);
  };
  await refused({ options: { editions: { '062': '0.17' } } }, /'options.editions.062' must be 1.20/);
  await refused(
    { options: { edition: '1.20' } },
    /'options.edition' is unknown: the protocol asterix has only editions, sources/,
  );
  await refused(
    { options: { topics: ['#'] } },
    /'options.topics' is an option of the protocol mqtt, and this link has the protocol asterix/,
  );
  await refused(
    { protocol: 'sbs', options },
    /'options.editions' is an option of the protocol asterix, and this link has the protocol sbs/,
  );
  await refused({ transport: 'serial', address: '/dev/ttyX' }, /does not work over serial/);
  const made = await daemon.post('/api/links', { ...body, options });
  t.match([made.status, made.body.data], [200, { options }]);
  const { id } = made.body.data as Link;
  t.match((await daemon.post(`/api/links/${id}`, { protocol: 'sbs' })).status, 400, 'options of another protocol');
  const changed = await daemon.post(`/api/links/${id}`, { options: { editions: {} } });
  t.same((changed.body.data as Link).options, { editions: {} });
  await daemon.end();
  const again = await startDaemon(t, { dataDir: daemon.dataDir });
  t.same((await linkOf(again, 'atc')).options, { editions: {} });
});

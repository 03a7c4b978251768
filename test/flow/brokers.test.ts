import t from 'tap';
import type { Link } from '../../src/model/link.ts';
import type { Outlet } from '../../src/model/outlet.ts';
import type { Picture, SimState } from '../../src/model/picture.ts';
import type { Recording } from '../../src/model/recording.ts';
import { takeTime } from '../support/basics/patience.ts';
import { must } from '../support/daemon/alerts.ts';
import { startDaemon, until } from '../support/daemon/daemon.ts';
import { show, showSimulatedDrone } from '../support/daemon/shown_worlds.ts';
import { firstOwner } from '../support/daemon/signed_in.ts';
import { countedOf, linkOf, trackOf } from '../support/daemon/watch.ts';
import { droneScoutJson, droneScoutMac, uasData } from '../support/links/dronescout.ts';
import { mosquitto, mosquittoMissing } from '../support/links/mosquitto.ts';
import { MqttBroker } from '../support/links/mqtt_broker.ts';
import { paced } from '../support/links/senders.ts';
import { SigningBox } from '../support/links/signed_link.ts';

takeTime(t, 300);

const serial = '1581F5FKD2294SCOUT01';
const operator = { lat: 47.1961, lon: 8.7288 };
const pilot = ['47.196', '8.7288', 'FIN87'];

/** A publish of a flight, at a turn of it. */
function flown(turn: number): string {
  const location = { lat: 47.2 + turn * 0.0001, lon: 8.73, altGeoM: 655.5 };
  return droneScoutJson(uasData({ serial, location, operator, operatorId: 'FIN87astrdge12k8' }), Date.now());
}

t.test('what a DroneScout receiver publishes is a track, and leaves by an outlet without its pilot', async (t) => {
  const broker = await MqttBroker.start(t);
  const place = `transport=tcp_client,address=${broker.address}`;
  const daemon = await startDaemon(t, {
    args: [
      ...['--link', `name=scout,${place},protocol=mqtt,options.topics=ds/#`],
      ...['--outlet', `name=home,${place},kind=mqtt,options.home_assistant=true`],
    ],
  });
  await broker.until('both sessions', () => broker.filters.includes('ds/#') && broker.retained.has('dunlin/status'));
  const { id: recordingId } = await must<Recording>(daemon, '/api/recordings', { name: 'broker' });
  await paced(4, 300, async (turn) => broker.publish('ds/240', flown(turn)));
  const track = await trackOf(daemon, serial, ({ state }) => state === 'confirmed');
  t.match(track, { position: { alt_hae_m: Number }, operator: { ...operator, type: 'live_gnss' } });
  t.ok(track.identities.some(({ value }) => value === droneScoutMac));
  t.match(await countedOf(daemon, 'scout', 4), { state: 'open', protocol: 'mqtt', rx_msgs: 4, last_error: null });
  const topic = `dunlin/track/${track.id}`;
  await broker.until('the track at the broker', () => broker.retained.has(topic));
  t.match(JSON.parse(broker.retained.get(topic)?.payload ?? ''), { number: track.number, operator: { lat: null } });
  const out = broker.published.filter(({ topic }) => topic.startsWith('dunlin') || topic.startsWith('homeassistant'));
  for (const hidden of pilot) t.notOk(JSON.stringify(out).includes(hidden), `${hidden} stays here`);
  t.same(broker.faults, []);

  await must(daemon, `/api/recordings/${recordingId}/stop`, {});
  broker.breakOff();
  await until(async () => {
    const { outlets } = await daemon.get<Picture>('/api/picture');
    return (
      broker.connects.length >= 4 && outlets[0]?.state === 'open' && (await linkOf(daemon, 'scout')).state === 'open'
    );
  }, 'both are open again');
  const before = broker.published.length;
  await must(daemon, '/api/sim/mode', { mode: 'replay', recording_id: recordingId, rate: 20 });
  await until(async () => (await daemon.get<SimState>('/api/sim')).run === 'completed', 'the recording is played');
  t.match(await trackOf(daemon, serial), { operator }, 'a recording of the link says the same');
  const ofTracks = broker.published.slice(before).filter(({ topic }) => topic.startsWith('dunlin/track/'));
  t.ok(
    ofTracks.every((one) => one.topic === topic),
    'nothing replayed reaches the broker',
  );
});

t.test('nothing simulated reaches a broker', async (t) => {
  const broker = await MqttBroker.start(t);
  const place = `transport=tcp_client,address=${broker.address}`;
  const daemon = await startDaemon(t, {
    args: [
      '--outlet',
      `name=home,${place},kind=mqtt`,
      '--link',
      `name=scout,${place},protocol=mqtt,options.topics=ds/#`,
    ],
  });
  await showSimulatedDrone(daemon);
  await show(daemon, 'live');
  await broker.until('the link subscribed', () => broker.filters.includes('ds/#'));
  await paced(3, 300, async (turn) => broker.publish('ds/240', flown(turn)));
  await broker.until('the live track', () => broker.published.some(({ payload }) => payload.includes(serial)));
  const tracks = broker.published.filter(({ topic }) => topic.startsWith('dunlin/track/'));
  t.ok(tracks.length > 0 && tracks.every(({ payload }) => payload.includes(serial)), 'the live one alone');
});

t.test('links and outlets of brokers are refused with a sentence where they cannot be', async (t) => {
  const daemon = await startDaemon(t);
  const owner = await firstOwner(t, daemon);
  const link = { name: 'scout', transport: 'tcp_client', address: '127.0.0.1:1883', protocol: 'mqtt' };
  for (const [wrong, words] of [
    [{ transport: 'udp' }, /mqtt does not work over udp: use tcp_client/],
    [{ options: { topics: ['a/#/b'] } }, /topics.*topic filter/],
    [{ options: { topics: [] } }, /topics/],
    [{ options: { qos: 1 } }, /qos.*topics, client_id/],
  ] as const)
    t.match(await owner.ask('POST', '/v1/links', { ...link, ...wrong }), { status: 400, body: { error: words } });
  const outlet = { name: 'home', transport: 'tcp_client', address: '127.0.0.1:1883', kind: 'mqtt' };
  for (const [wrong, words] of [
    [{ transport: 'udp' }, /transport.*must be tcp_client/],
    [{ options: { prefix: 'a/#' } }, /prefix/],
    [{ options: { slots: 99 } }, /slots/],
    [{ options: { colour: 'red' } }, /colour/],
  ] as const)
    t.match(await owner.ask('POST', '/v1/outlets', { ...outlet, ...wrong }), { status: 400, body: { error: words } });
});

t.test('two outlets do not publish under one prefix at one broker', async (t) => {
  const broker = await MqttBroker.start(t);
  const owner = await firstOwner(t, await startDaemon(t));
  const given = { kind: 'mqtt', transport: 'tcp_client', address: broker.address };
  const make = (name: string, options: object) => owner.ask('POST', '/v1/outlets', { ...given, name, options });
  t.equal((await make('one', { client_id: 'box' })).status, 200);
  t.match(await make('two', {}), { status: 409, body: { error: /'options.prefix' dunlin is used by the outlet one/ } });
  t.match(await make('two', { prefix: 'two', client_id: 'box' }), {
    status: 409,
    body: { error: /'options.client_id' box is used by the outlet one/ },
  });
  const { body } = await make('two', { prefix: 'two' });
  const id = body.ok ? (body.data as Outlet).id : '';
  t.match(await owner.ask('POST', `/v1/outlets/${id}`, { options: { prefix: 'dunlin' } }), { status: 409 });
  t.equal((await owner.ask('POST', `/v1/outlets/${id}`, { name: 'three' })).status, 200);
  await until(async () => broker.retained.get('dunlin/status')?.payload === 'online', 'the first is untouched');
});

t.test('a broker that asks for a name gets the credentials of link and outlet', async (t) => {
  const broker = await MqttBroker.start(t, { login: { username: 'box', password: 'secret' } });
  const { anna } = await SigningBox.start(t);
  const place = { transport: 'tcp_client', address: broker.address };
  const link = await anna.get<Link>('POST', '/v1/links', { name: 'scout', protocol: 'mqtt', ...place });
  const outlet = await anna.get<Outlet>('POST', '/v1/outlets', { name: 'home', kind: 'mqtt', ...place });
  for (const path of [`/v1/links/${link.id}`, `/v1/outlets/${outlet.id}`]) {
    const state = () => anna.get<Link | Outlet>('GET', path);
    await until(async () => (await state()).last_error?.includes('requires a user name'), 'the refusal');
    await anna.get('PUT', `${path}/credentials`, { username: 'box', password: 'secret' });
    await until(async () => (await state()).state === 'open', 'it is open');
    t.notOk(JSON.stringify(await state()).includes('secret'));
  }
  t.same(broker.faults, []);
});

t.test('a changed outlet leaves nothing of the old one at its broker', async (t) => {
  const broker = await MqttBroker.start(t);
  const gone = 'dunlin/track/0190a1b2-0000-8000-8000-00000000002a';
  broker.publish(gone, '{"number":"T-0042"}', { retain: true });
  const daemon = await startDaemon(t);
  const owner = await firstOwner(t, daemon);
  const spec = { name: 'home', transport: 'tcp_client', address: broker.address, kind: 'mqtt' };
  const made = await owner.get<Outlet>('POST', '/v1/outlets', spec);
  t.match(made, { state: 'open', options: { prefix: 'dunlin', home_assistant: false, slots: 4 } });
  const tested = await until(async () => {
    // A broker that has not acknowledged the greeting takes nothing else.
    const { status, body } = await owner.ask('POST', `/v1/outlets/${made.id}/test`);
    return status === 200 && body;
  }, 'a test item leaves');
  t.match(tested, { data: { sent: 1 } });
  await broker.until('the test', () => broker.published.some(({ payload }) => payload.includes('Dunlin test')));
  await broker.until('the end of a track of an earlier session', () => !broker.retained.has(gone), 60_000);
  await owner.get('POST', `/v1/outlets/${made.id}`, { options: { prefix: 'other' } });
  await broker.until('another prefix', () => broker.retained.get('other/status')?.payload === 'online');
  await broker.until('the will', () => broker.retained.get('dunlin/status')?.payload === 'offline');
  t.notOk(broker.retained.has('dunlin/summary'), 'nothing else stays under the former prefix');
  await broker.until('the summary', () => broker.retained.has('other/summary'));
  await owner.ask('DELETE', `/v1/outlets/${made.id}`);
  await broker.until('the end', () => broker.retained.get('other/status')?.payload === 'offline');
  t.same([...broker.retained.keys()].sort(), ['dunlin/status', 'other/status']);
});

t.test('mosquitto brings a flight in, and takes the picture out', { skip: mosquittoMissing }, async (t) => {
  const server = await mosquitto(t);
  const place = `transport=tcp_client,address=${server.address}`;
  const daemon = await startDaemon(t, {
    args: [
      ...['--link', `name=scout,${place},protocol=mqtt,options.topics=ds/#`],
      ...['--outlet', `name=home,${place},kind=mqtt,options.home_assistant=true`],
    ],
  });
  const seen = server.subscribe('#');
  await until(async () => (await linkOf(daemon, 'scout')).state === 'open', 'the link is open');
  await paced(4, 300, async (turn) => server.publish('ds/240', flown(turn)));
  const track = await trackOf(daemon, serial, ({ state }) => state === 'confirmed');
  const payloadOf = (topic: string) => seen().findLast((one) => one.topic === topic)?.payload;
  await until(async () => payloadOf(`dunlin/track/${track.id}`), 'the track');
  t.match(JSON.parse(payloadOf(`dunlin/track/${track.id}`) ?? ''), { number: track.number });
  t.equal(payloadOf('dunlin/status'), 'online');
  await until(async () => seen().some(({ topic }) => /^homeassistant\/device_tracker\//.test(topic)), 'a tracker');
  await daemon.end();
  await until(async () => payloadOf('dunlin/status') === 'offline', 'the will');
});

t.test('mosquitto refuses a link without a name and password', { skip: mosquittoMissing }, async (t) => {
  const server = await mosquitto(t, { login: { username: 'dunlin', password: 'secret' } });
  const link = `name=scout,transport=tcp_client,address=${server.address},protocol=mqtt`;
  const daemon = await startDaemon(t, { args: ['--link', link] });
  const words = await until(async () => (await linkOf(daemon, 'scout')).last_error, 'its error');
  t.match(words, /requires a user name and a password/);
});

import t from 'tap';
import type { Link } from '../../src/model/link.ts';
import type { Outlet } from '../../src/model/outlet.ts';
import { takeTime, until } from '../support/basics/patience.ts';
import { placeAt } from '../support/basics/place.ts';
import { countedOf, trackOf } from '../support/daemon/watch.ts';
import { foreignEvent } from '../support/links/cot_events.ts';
import { droneScoutJson, uasData } from '../support/links/dronescout.ts';
import { mosquitto, mosquittoMissing } from '../support/links/mosquitto.ts';
import { paced } from '../support/links/senders.ts';
import { SigningBox } from '../support/links/signed_link.ts';
import { takServer } from '../support/outlet/tak.ts';
import { client, demanding } from '../support/tls/certificates.ts';

takeTime(t, 240);

const tls = { server_name: 'tak.example', verify: 'full' };
const site = { lat: 60.2, lon: 24.9 };

t.test('an aircraft of a TAK server over TLS with a client certificate is a track', async (t) => {
  const { anna, daemon } = await SigningBox.start(t);
  const server = await takServer(t, { tls: demanding });
  const spec = { name: 'tak', transport: 'tls_client', address: `127.0.0.1:${server.port}`, protocol: 'cot', tls };
  const made = await anna.get<Link>('POST', '/v1/links', { ...spec, silence_s: 600 });
  const open = await anna.get<Link>('PUT', `/v1/links/${made.id}/credentials`, client('client'));
  t.match(open, { state: 'open', last_error: null });
  const beginMs = Date.now() - 4_000;
  await paced(5, 50, async (turn) => {
    const timeMs = beginMs + turn * 1_000;
    const moving = { ...placeAt(site, 0, 10 * turn), haeM: 120, ceM: 5, leM: 8, course: 0, speed: 10 };
    server.sockets.at(-1)?.write(foreignEvent({ uid: 'tls.1', type: 'a-f-A-M-H-Q', timeMs, ...moving }));
  });
  const track = await trackOf(daemon, 'tls.1', ({ state }) => state === 'confirmed');
  t.match(track, { affiliation: 'unknown', claims: [{ source: 'TAK', says: 'friend' }] });
  t.match(await countedOf(daemon, 'tak', 5), { rx_msgs: 5, rejects: { malformed: 0, length: 0 } });
});

t.test('mosquitto over TLS takes a link and an outlet by their certificates', { skip: mosquittoMissing }, async (t) => {
  const server = await mosquitto(t, { isTls: true });
  const { anna, daemon } = await SigningBox.start(t);
  const place = { transport: 'tls_client', address: server.address, tls };
  const topics = { options: { topics: ['ds/#'] } };
  const link = await anna.get<Link>('POST', '/v1/links', { name: 'scout', protocol: 'mqtt', ...place, ...topics });
  const outlet = await anna.get<Outlet>('POST', '/v1/outlets', { name: 'home', kind: 'mqtt', ...place });
  const paths = [`/v1/links/${link.id}`, `/v1/outlets/${outlet.id}`];
  const { ca_pem } = client('client');
  for (const path of paths) {
    const state = () => anna.get<Link | Outlet>('GET', path);
    await anna.get('PUT', `${path}/credentials`, { ca_pem });
    await until(async () => /asks for a client certificate/.test((await state()).last_error ?? ''), 'the demand');
    await anna.get('PUT', `${path}/credentials`, client('stranger'));
    await until(async () => /certificate/.test((await state()).last_error ?? ''), 'the refusal of a stranger');
    t.not((await state()).state, 'open');
    await anna.get('PUT', `${path}/credentials`, client('client'));
    await until(async () => (await state()).state === 'open', 'it is open');
  }
  const seen = server.subscribe('#');
  const serial = '1581F5FKD2294SCOUT01';
  await paced(4, 300, async (turn) => {
    const location = { lat: 47.2 + turn * 0.0001, lon: 8.73, altGeoM: 655.5 };
    server.publish('ds/240', droneScoutJson(uasData({ serial, location }), Date.now()).toString());
  });
  const track = await trackOf(daemon, serial, ({ state }) => state === 'confirmed');
  const payloadOf = (topic: string) => seen().findLast((one) => one.topic === topic)?.payload;
  await until(async () => payloadOf(`dunlin/track/${track.id}`), 'the track at the broker');
  t.match(JSON.parse(payloadOf(`dunlin/track/${track.id}`) ?? ''), { number: track.number });
  await anna.get('DELETE', `/v1/outlets/${outlet.id}`);
  await until(async () => payloadOf('dunlin/status') === 'offline', 'the end');
  t.equal(payloadOf(`dunlin/track/${track.id}`), '', 'a removed outlet leaves no track there');
});

import t from 'tap';
import type { Outlet } from '../../src/model/outlet.ts';
import type { Picture } from '../../src/model/picture.ts';
import type { Zone } from '../../src/model/zone.ts';
import { until } from '../support/basics/patience.ts';
import { type Daemon, startDaemon } from '../support/daemon/daemon.ts';
import { show, showSimulatedDrone } from '../support/daemon/shown_worlds.ts';
import { firstOwner } from '../support/daemon/signed_in.ts';
import { childOf, takDatagrams, takServer } from '../support/outlet/tak.ts';

const place = { lat: 47.4, lon: 8.5 };
const pilot = { lat: 47.3961, lon: 8.4888, type: 'live_gnss', operator_id: 'FIN87astrdge12k8' };

/** Reports one aircraft with its pilot. */
async function report(daemon: Daemon, serial: string, position: object = place): Promise<void> {
  const row = {
    ...{ sensor_id: 'mast', report: 'position', position: { ...position, alt_hae_m: 600 }, operator: pilot },
    identity: [{ type: 'serial', value: serial, transport: 'bt5' }],
  };
  const { body } = await daemon.post('/api/ingest/obs', { obs: [row] });
  if (!body.ok) throw new Error(body.error);
}

async function boxWith(t: Parameters<typeof startDaemon>[0], ...args: string[]): Promise<Daemon> {
  const daemon = await startDaemon(t, { args });
  const sensor = { name: 'mast', modality: 'remote_id', placement: { ...place, alt_hae_m: 450 } };
  await daemon.post('/api/sensors', sensor);
  return daemon;
}

/** Reports two positions, which confirm a track. */
async function fly(daemon: Daemon, serial: string): Promise<void> {
  await report(daemon, serial);
  await report(daemon, serial, { ...place, lat: place.lat + 0.0001 });
}

t.test('a report comes out of a UDP outlet of the command line as one event, without the pilot', async (t) => {
  const { port, events } = await takDatagrams(t);
  const daemon = await boxWith(t, '--outlet', `name=tak,kind=cot,transport=udp,address=127.0.0.1:${port}`);
  await fly(daemon, '1581F0000000000001A');
  const event = await events.find(({ type }) => type === 'a-u-A-M-H-Q');
  const { node_id } = await daemon.get<{ node_id: string }>('/');
  const [track] = (await daemon.get<Picture>('/api/picture')).tracks;
  t.equal(event.uid, `dunlin.${node_id}.${track?.id}`);
  t.match(childOf(event, '__dunlin')?.attributes, { number: track?.number, serial: '1581F0000000000001A' });
  for (const hidden of ['47.396', '8.4888', 'FIN87']) t.notOk(JSON.stringify(events.all).includes(hidden), hidden);
  const { outlets, health } = await until(async () => {
    const picture = await daemon.get<Picture>('/api/picture');
    return (picture.outlets[0]?.tracks ?? 0) > 0 && picture;
  }, 'the picture counts it');
  t.match(outlets, [{ name: 'tak', state: 'open', last_error: null }]);
  t.match(
    health.parts.filter(({ name }) => name === 'outlets'),
    [{ state: 'up', text: '1 of 1 open' }],
  );
  const id = outlets[0]?.id;
  const owner = await firstOwner(t, daemon);
  const { status, body } = await owner.ask('POST', `/v1/outlets/${id}`, { redact: [] });
  t.match({ status, body }, { status: 409, body: { error: /declared by the configuration.*\/disable work/ } });
  const none = crypto.randomUUID();
  for (const what of ['zone', 'region']) {
    const area = { [`${what}_id`]: none };
    const unknown = { name: what, kind: 'cot', transport: 'udp', address: '127.0.0.1:9', filter: { area } };
    t.match(await owner.ask('POST', '/v1/outlets', unknown), {
      status: 400,
      body: { error: `'filter.area.${what}_id' names no ${what}: there is none with the id ${none}` },
    });
  }
});

t.test('nothing simulated leaves the box, and the live world still does', async (t) => {
  const { port, events } = await takDatagrams(t);
  const daemon = await boxWith(
    t,
    '--outlet',
    `name=tak,kind=cot,transport=udp,address=127.0.0.1:${port},options.presence=false`,
  );
  await showSimulatedDrone(daemon);
  t.same((await daemon.get<Picture>('/api/picture')).outlets, []);
  await show(daemon, 'live');
  await fly(daemon, '1581F0000000000001B');
  // The event of the live track follows everything that the outlet sent before.
  const live = await events.find(({ text }) => text.includes('1581F0000000000001B'));
  t.equal(events.all.indexOf(live), 0, 'not one byte before it');
});

t.test(
  'an owner makes, changes and deletes an outlet; a zone that is gone ends its tracks and is its fault',
  async (t) => {
    const server = await takServer(t);
    const daemon = await boxWith(t);
    const owner = await firstOwner(t, daemon);
    const spec = { name: 'tak', kind: 'cot', transport: 'tcp_client', address: `127.0.0.1:${server.port}` };
    const open = await daemon.post('/api/outlets', spec);
    t.match(open.body, { code: 'unauthenticated' }, 'the open surface makes none');
    for (const [wrong, words] of [
      [{ transport: 'serial' }, /transport/],
      [{ options: { colour: 'red' } }, /colour/],
      [{ address: 'nowhere' }, /HOST:PORT/],
      [{ interface: 'eth0' }, /interface/],
      [{ redact: ['nothing'] }, /redact/],
    ] as const)
      t.match(await owner.ask('POST', '/v1/outlets', { ...spec, ...wrong }), { status: 400, body: { error: words } });
    const shape = { type: 'Point', coordinates: [place.lon, place.lat], radius_m: 2_000 };
    const zone = await owner.get<Zone>('POST', '/v1/zones', { name: 'field', kind: 'warning', geometry: shape });
    const filter = { area: { zone_id: zone.id } };
    const made = await owner.get<Outlet>('POST', '/v1/outlets', { ...spec, filter });
    t.match(made, { state: 'open', version: 1, filter: { birds: false }, redact: ['pilot', 'operator_id', 'takeoff'] });
    t.match(await owner.ask('POST', '/v1/outlets', spec), { status: 409 });
    t.match(await owner.ask('POST', `/v1/outlets/${made.id}`, { version: 9 }), { status: 409 });
    t.same(await owner.get('POST', `/v1/outlets/${made.id}/test`), { sent: 1 });
    await server.events.find(({ text }) => text.includes('Dunlin test'));
    await fly(daemon, '1581F0000000000001C');
    const event = await server.events.find(({ text }) => text.includes('1581F0000000000001C'));
    await owner.get('DELETE', `/v1/zones/${zone.id}`);
    await server.events.find(({ uid }) => uid === `${event.uid}.delete`);
    t.match(await owner.get('GET', `/v1/outlets/${made.id}`), {
      tracks: 0,
      last_error: /the zone of the outlet's area was deleted/,
    });
    const changed = await owner.get<Outlet>('POST', `/v1/outlets/${made.id}`, { filter: { area: null } });
    t.match(changed, { version: 2, last_error: null });
    t.equal((await owner.get<Outlet>('POST', `/v1/outlets/${made.id}/disable`)).state, 'disabled');
    t.match(await owner.ask('POST', `/v1/outlets/${made.id}/test`), { status: 409 });
    t.same(await owner.get('DELETE', `/v1/outlets/${made.id}`), { deleted: true });
    const rows = await owner.get<{ kind: string }[]>('GET', '/v1/events?limit=1000');
    const kinds = new Set(rows.map(({ kind }) => kind).filter((kind) => kind.startsWith('outlet.')));
    t.same([...kinds].sort(), ['outlet.changed', 'outlet.created', 'outlet.disabled', 'outlet.open', 'outlet.removed']);
  },
);

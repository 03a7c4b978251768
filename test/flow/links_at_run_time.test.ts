import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import t, { type Test } from 'tap';
import type { DiscoveryView, Link } from '../../src/model/link.ts';
import { onlyInFull } from '../support/basics/patience.ts';
import { type Answer, type Daemon, startDaemon, until } from '../support/daemon/daemon.ts';
import { spawnDaemon } from '../support/daemon/daemon_process.ts';
import { linkOf, sensorOf, trackOf } from '../support/daemon/watch.ts';
import { StreamClient } from '../support/http/stream_client.ts';
import { paced, udpSender } from '../support/links/senders.ts';
import { Aircraft, MavlinkReceiver } from '../support/sky/aircraft.ts';

onlyInFull(t);

const udp = { name: 'gate', transport: 'udp', address: '127.0.0.1:0', protocol: 'mavlink' };
const site = { lat: 47.05, lon: 8.3 };

async function make(daemon: Daemon, body: object): Promise<Link> {
  const { status, body: answer } = await daemon.post('/api/links', body);
  if (status !== 200) throw new Error(`${status} ${answer.error}`);
  return answer.data as Link;
}

const remove = (daemon: Daemon, id: string): Promise<Answer> =>
  daemon.request(`/api/links/${id}`, { method: 'DELETE' });

/** A port of this machine that nothing has. */
async function freePort(): Promise<number> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}

async function hear(t: Test, daemon: Daemon, name: string, n: number): Promise<void> {
  const aircraft = new Aircraft({ mac: `60:60:1F:00:01:0${n}`, serial: `1581F5FKD2294B00000${n}`, from: site });
  const receiver = new MavlinkReceiver(n, 236);
  const send = udpSender(t, await daemon.port(name));
  await paced(5, 110, (turn) => send(receiver.pack(aircraft, aircraft.messages(aircraft.location(turn * 0.11)))));
  await trackOf(daemon, aircraft.flight.serial);
}

t.test('a link that is made at run time brings Remote ID, wherever it is moved, until it is taken away', async (t) => {
  const daemon = await startDaemon(t, {
    args: ['--link', 'name=other,transport=udp,address=127.0.0.1:0,protocol=mavlink'],
  });
  const other = await until(async () => {
    const link = await linkOf(daemon, 'other');
    return link.state === 'open' ? link : null;
  }, 'the other link is open');
  const stream = await StreamClient.open(t, daemon);
  const made = await make(daemon, udp);
  t.match(made, { name: 'gate', discover: 'list', command: 'deny', issued_for: null, version: 1, state: 'open' });
  await hear(t, daemon, 'gate', 1);
  const sensor = await sensorOf(daemon, 'gate 1/236');
  t.equal(sensor.link_id, made.id);

  const port = await freePort();
  const moved = await daemon.post(`/api/links/${made.id}`, { address: `127.0.0.1:${port}`, version: 1 });
  t.match(
    moved.body.data,
    { id: made.id, address: `127.0.0.1:${port}`, version: 2, state: 'open' },
    moved.body.error ?? '',
  );
  t.equal(await daemon.port('gate'), port);
  await hear(t, daemon, 'gate', 2);
  t.equal((await daemon.post(`/api/links/${made.id}`, { name: 'x', version: 1 })).status, 409, 'a stale version');

  t.match((await daemon.post(`/api/links/${made.id}/disable`, undefined)).body.data, { state: 'disabled', version: 3 });
  await sensorOf(daemon, 'gate 1/236', ({ state }) => state === 'off');
  t.match((await daemon.post(`/api/links/${made.id}/enable`, undefined)).body.data, { state: 'open' });
  await hear(t, daemon, 'gate', 3);

  t.same((await remove(daemon, made.id)).body, { ok: true, data: { deleted: true } });
  t.equal((await daemon.request(`/api/links/${made.id}`)).status, 404);
  const told = () => stream.events.map(({ event, data }) => `${event} ${data.body.id}`);
  await until(async () => told().includes(`link_removed ${made.id}`), 'its end is told');
  t.ok(told().includes(`sensor_removed ${sensor.id}`), 'and that of the sensor that it declared');
  const names = (await daemon.get<{ name: string }[]>('/api/sensors')).map(({ name }) => name);
  t.notOk(names.some((name) => name.startsWith('gate')));
  const still = await linkOf(daemon, 'other');
  t.same([still.state, still.since, still.retries], ['open', other.since, 0], 'the other link felt nothing of it');
  t.equal((await remove(daemon, made.id)).status, 404);
});

t.test('what cannot be opened is refused, and says who has it', async (t) => {
  const daemon = await startDaemon(t, {
    args: ['--link', 'name=first,transport=udp,address=127.0.0.1:0,protocol=mavlink'],
  });
  const taken = await daemon.port('first');
  const refused = async (body: object, status: number, error: RegExp): Promise<void> => {
    const answer = await daemon.post('/api/links', { ...udp, ...body });
    t.equal(answer.status, status, answer.body.error ?? '');
    t.match(answer.body.error, error);
  };
  await refused({ address: `127.0.0.1:${taken}` }, 409, /in use by link 'first'/);
  await refused({ address: `0.0.0.0:${taken}` }, 409, /in use by link 'first'/);
  await refused({ name: 'first' }, 409, /already a link called first/);

  const socket = createSocket('udp4');
  t.teardown(() => socket.close());
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  await refused({ address: `127.0.0.1:${socket.address().port}` }, 409, /in use by another program/);
  const server = createServer();
  t.teardown(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await refused({ transport: 'tcp_server', address: `127.0.0.1:${port}` }, 409, /in use by another program/);
  const http = Number(new URL(daemon.url).port);
  await refused({ transport: 'tcp_server', address: `127.0.0.1:${http}` }, 409, /in use/);

  await refused({ transport: 'file', address: '/etc/passwd' }, 400, /'transport' must not be file/);
  await refused({ transport: 'serial', address: '/dev/null' }, 400, /not a serial device/);
  await refused({ address: 'nowhere' }, 400, /'address' must be HOST:PORT/);
  await refused({ sources_allow: ['x'] }, 400, /x/);
  await refused({ signing: 'required', protocol: 'sbs' }, 400, /sbs cannot be signed/);
  await refused({ issued_for: '11111111-2222-4333-8444-555555555555' }, 404, /no asset/);
  t.equal((await daemon.get<Link[]>('/api/links')).length, 1, 'nothing of all that is left');

  const waiting = await make(daemon, { ...udp, name: 'later', transport: 'serial', address: '/dev/serial/by-id/none' });
  t.match(waiting, { state: 'backoff', last_error: /not there/ }, 'a device that is not there yet is waited for');
  const gate = await make(daemon, udp);
  const move = await daemon.post(`/api/links/${gate.id}`, { address: `127.0.0.1:${socket.address().port}` });
  t.equal(move.status, 409);
  await until(async () => (await linkOf(daemon, 'gate')).state === 'open', 'a link that could not be moved goes on');
  t.equal((await linkOf(daemon, 'gate')).version, 1);

  const first = await linkOf(daemon, 'first');
  t.match(
    (await daemon.post(`/api/links/${first.id}`, { discover: 'off' })).body.error,
    /declared by the configuration/,
  );
  t.equal((await remove(daemon, first.id)).status, 409);
  t.match((await daemon.post(`/api/links/${first.id}/disable`, undefined)).body.data, { state: 'disabled' });
  await make(daemon, { ...udp, name: 'heir', address: `127.0.0.1:${taken}` });
});

t.test('64 links are all that there may be', async (t) => {
  const daemon = await startDaemon(t);
  for (let n = 0; n < 64; n++) await make(daemon, { ...udp, name: `link ${n}`, enabled: false });
  const more = await daemon.post('/api/links', { ...udp, name: 'one more', enabled: false });
  t.equal(more.status, 409);
  t.match(more.body.error, /already has 64 links, the maximum/);
});

t.test('links, the decision config and the switch outlive a kill', async (t) => {
  const first = await spawnDaemon(t);
  const dataDir = first.dataDir;
  const port = await freePort();
  const gate = await make(first, { ...udp, address: `127.0.0.1:${port}` });
  const gone = await make(first, { ...udp, name: 'gone' });
  await remove(first, gone.id);
  const put = (daemon: Daemon, path: string, body: unknown): Promise<Answer> =>
    daemon.request(path, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const config = await first.get<{ levels: object }>('/api/decision-config');
  const saved = await put(first, '/api/decision-config', {
    ...config,
    posture: 'high',
    levels: { ...config.levels, low: 21 },
  });
  t.match(saved.body.data, { version: 1, posture: 'high', levels: { low: 21 } }, saved.body.error ?? '');
  t.match((await put(first, '/api/discovery', { enabled: true })).body.data, { enabled: true });
  await first.end('SIGKILL');

  const again = await startDaemon(t, { dataDir });
  t.equal(await again.port('gate'), port);
  t.match(await linkOf(again, 'gate'), { id: gate.id, version: 1 });
  t.equal((await again.get<Link[]>('/api/links')).length, 1);
  await hear(t, again, 'gate', 4);
  t.match(await again.get('/api/decision-config'), { version: 1, posture: 'high', levels: { low: 21 } });
  t.match(await again.get('/api/picture'), { posture: 'high', autonomy: 'advise', autonomy_effective: 'advise' });
  const { enabled, links } = await again.get<DiscoveryView>('/api/discovery');
  t.ok(enabled);
  t.match(links, [{ link_id: gate.id, discover: 'list', effective: { discover: 'list', command: 'deny' } }]);
});

t.test('a link whose port another program has taken meanwhile keeps nothing from starting', async (t) => {
  const first = await startDaemon(t);
  const port = await freePort();
  await make(first, { ...udp, address: `127.0.0.1:${port}` });
  await first.end();
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(port, '127.0.0.1', resolve));
  const link = `name=file,transport=udp,address=127.0.0.1:0,protocol=mavlink`;
  const again = await startDaemon(t, { dataDir: first.dataDir, args: ['--link', link] });
  await again.port('file');
  await until(async () => (await linkOf(again, 'gate')).state === 'backoff', 'it waits');
  t.match((await linkOf(again, 'gate')).last_error, /in use by another program/);
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  t.equal(await again.port('gate'), port, 'and opens when it can');
});

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import t from 'tap';
import { connectionsMax } from '../../../src/edge/link/tcp_server.ts';
import { manualTime, openLink, portOf, until } from './rig.ts';

const anyPort = { transport: 'tcp_server', address: '127.0.0.1:0' } as const;

type Client = { socket: Socket; heard(): string; from: string; closed(): boolean };

async function dial(t: { teardown(act: () => unknown): void }, port: number): Promise<Client> {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  let closed = false;
  socket.on('data', (bytes) => {
    heard += bytes;
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    closed = true;
  });
  t.teardown(() => socket.destroy());
  await once(socket, 'connect');
  return { socket, heard: () => heard, from: `127.0.0.1:${socket.localPort}`, closed: () => closed };
}

t.test('each connection is a sender of its own, and is answered on its own', async (t) => {
  const { link, chunks, gone } = await openLink(t, anyPort);
  const [a, b] = [await dial(t, portOf(link)), await dial(t, portOf(link))];
  a.socket.write('from a');
  b.socket.write('from b');
  await until('both', () => chunks.length === 2);
  t.same(
    chunks.map((chunk) => `${chunk.from} ${Buffer.from(chunk.bytes)}`).sort(),
    [`${a.from} from a`, `${b.from} from b`].sort(),
  );
  await link.write(Buffer.from('for a'), a.from);
  await link.write(Buffer.from(' for all'));
  await until('the answers', () => a.heard() === 'for a for all' && b.heard() === ' for all');
  a.socket.destroy();
  await until('its leaving', () => gone.length === 1);
  t.same(gone, [a.from]);
  await t.rejects(link.write(Buffer.from('x'), a.from), { code: 'conflict', message: /is not connected/ });
});

t.test('with nobody connected a write is refused', async (t) => {
  const { link } = await openLink(t, anyPort);
  await t.rejects(link.write(Buffer.from('x')), { code: 'conflict', message: /no client is connected/ });
});

t.test('a connection from a source that is not allowed is cut and counted', async (t) => {
  const { link, chunks } = await openLink(t, { ...anyPort, sources_allow: ['192.0.2.1'] });
  const client = await dial(t, portOf(link));
  client.socket.write('x');
  await until('the cut', client.closed);
  t.equal(link.status().notAllowed, 1);
  t.same(chunks, []);
});

t.test('a silent connection is cut at its deadline, one that speaks is kept, and the socket stays open', async (t) => {
  const time = manualTime();
  const { link, chunks, states } = await openLink(
    t,
    { ...anyPort, silence_s: 10 },
    { nowMs: time.nowMs, timers: time.timers },
  );
  const [silent, speaking] = [await dial(t, portOf(link)), await dial(t, portOf(link))];
  silent.socket.write('.');
  speaking.socket.write('.');
  await until('both', () => chunks.length === 2);
  time.advance(6_000);
  speaking.socket.write('.');
  await until('a word', () => chunks.length === 3);
  time.advance(4_000);
  await until('the cut', silent.closed);
  t.notOk(speaking.closed());
  t.same(states(), ['opening', 'open']);
});

t.test('a server that nobody speaks to says so and stays open', async (t) => {
  const time = manualTime();
  const { link, states } = await openLink(t, { ...anyPort, silence_s: 10 }, { nowMs: time.nowMs, timers: time.timers });
  time.advance(25_000);
  t.match(link.status(), { state: 'open', lastError: 'no bytes received for 10 s', silences: 2, retries: 0 });
  t.same(states(), ['opening', 'open']);
  const client = await dial(t, portOf(link));
  client.socket.write('x');
  await until('bytes', () => link.status().rxBytes === 1);
  t.equal(link.status().lastError, null);
});

t.test('a peer that takes nothing is cut; the others are written to meanwhile', async (t) => {
  const time = manualTime();
  const { link } = await openLink(t, anyPort, { nowMs: time.nowMs, timers: time.timers });
  const [blocked, reading] = [await dial(t, portOf(link)), await dial(t, portOf(link))];
  await link.write(Buffer.from('hi'), blocked.from);
  blocked.socket.pause();
  const stuck = link.write(Buffer.alloc(64 * 1024 * 1024), blocked.from);
  await t.rejects(link.write(Buffer.from('x'), blocked.from), { code: 'conflict', message: /is still being sent/ });
  await link.write(Buffer.from('to those who read'));
  await until('the other', () => reading.heard() === 'to those who read');
  time.advance(5_000);
  await t.rejects(stuck, { code: 'unavailable', message: /its connection was closed/ });
});

t.test(
  'more connections than the limit are refused and counted, and a place that comes free is given again',
  async (t) => {
    const { link, chunks } = await openLink(t, anyPort);
    const clients: Client[] = [];
    for (let i = 0; i < connectionsMax; i++) clients.push(await dial(t, portOf(link)));
    const late = await dial(t, portOf(link));
    await until('the refusal', late.closed);
    t.equal(link.status().overLimit, 1);
    clients[0]?.socket.destroy();
    await until('a free place', () => clients[0]?.closed() ?? false);
    const next = await dial(t, portOf(link));
    next.socket.write('in');
    await until('the newcomer', () => chunks.length === 1);
  },
);

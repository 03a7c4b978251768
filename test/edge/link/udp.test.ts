import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { Worker } from 'node:worker_threads';
import t from 'tap';
import { Claims } from '../../../src/edge/link/claims.ts';
import { receivedMax } from '../../../src/edge/link/received_senders.ts';
import { STEP_EVERY_MS } from '../../../src/model/step_time.ts';
import { manualTime, openLink, portOf, rigLink, turns, until } from './rig.ts';

type Teardown = { teardown(act: () => unknown): void };

/** A sender of datagrams; what comes back to it is collected. */
async function sender(t: Teardown, address = '127.0.0.1') {
  const socket: Socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  const replies: string[] = [];
  socket.on('message', (bytes) => replies.push(bytes.toString()));
  socket.bind(0, address);
  await once(socket, 'listening');
  t.teardown(() => socket.close());
  const send = (text: string, port: number) =>
    new Promise<void>((resolve, reject) => {
      socket.send(text, port, address, (error) => (error ? reject(error) : resolve()));
    });
  return { socket, replies, send, port: socket.address().port };
}

const withoutIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((entry) => entry?.address === '::1')
  ? false
  : 'this computer has no IPv6';

const anyPort = { transport: 'udp', address: '127.0.0.1:0' } as const;

t.test('datagrams arrive whole, each with the address and port of its sender', async (t) => {
  const { link, chunks } = await openLink(t, anyPort);
  const [a, b] = [await sender(t), await sender(t)];
  await a.send('one', portOf(link));
  await b.send('two', portOf(link));
  await until('both datagrams', () => chunks.length === 2);
  t.same(
    chunks.map((chunk) => `${chunk.from} ${Buffer.from(chunk.bytes)}`).sort(),
    [`127.0.0.1:${a.port} one`, `127.0.0.1:${b.port} two`].sort(),
  );
});

t.test('a datagram leaves with the write, not after what else is to be done', async (t) => {
  const { link } = await openLink(t, anyPort);
  const heard = new Int32Array(new SharedArrayBuffer(4));
  const listener = new Worker(new URL('./listening_thread.js', import.meta.url), { workerData: { heard } });
  t.teardown(() => listener.terminate());
  const [port] = await once(listener, 'message');
  const written = link.write(Buffer.from('now'), `127.0.0.1:${port}`);
  // As a slow disk does, this keeps everything else of the process waiting.
  t.not(Atomics.wait(heard, 0, 0, 5_000), 'timed-out');
  await written;
});

t.test('a write goes to the sender it names, and to everyone heard lately where it names none', async (t) => {
  const time = manualTime();
  const { link, chunks } = await openLink(t, anyPort, { nowMs: time.nowMs, timers: time.timers });
  const [a, b] = [await sender(t), await sender(t)];
  await t.rejects(link.write(Buffer.from('x')), { code: 'conflict', message: /no sender has sent data/ });
  await a.send('.', portOf(link));
  await until('the first', () => chunks.length === 1);
  time.advance(6_000);
  await b.send('.', portOf(link));
  await until('the second', () => chunks.length === 2);
  await link.write(Buffer.from('for b'), `127.0.0.1:${b.port}`);
  await link.write(Buffer.from('for both'));
  time.advance(5_000);
  await link.write(Buffer.from('for the later'));
  await until('the replies', () => b.replies.length === 3 && a.replies.length === 1);
  t.same(a.replies, ['for both']);
  t.same(b.replies, ['for b', 'for both', 'for the later']);
  t.equal(link.status().txBytes, 5 + 16 + 13);
});

/** Opens a link on a clock that stands, with a sender; `sent` resolves once the socket of the link could be read. */
async function onStandingClock(t: Teardown, bytes = 1) {
  const time = manualTime(16_000);
  const deps = { nowMs: time.nowMs, timers: time.timers };
  const rig = await openLink(t, anyPort, deps);
  const other = await openLink(t, anyPort, deps);
  const from = await sender(t);
  const sent = async (count: number) => {
    for (let n = 0; n < count; n++) await from.send('.'.repeat(bytes), portOf(rig.link));
    // A later datagram that another link has delivered: the event loop has read the sockets that it reads.
    const before = other.chunks.length;
    await from.send('.', portOf(other.link));
    await until('the later datagram', () => other.chunks.length === before + 1);
    await turns();
  };
  return { ...rig, time, sent };
}

t.test('a busy socket is read again when the core steps next, and loses nothing meanwhile', async (t) => {
  const { chunks, link, time, sent } = await onStandingClock(t);
  await sent(6);
  t.equal(chunks.length, 6);
  await sent(50);
  t.equal(chunks.length, 6, 'the rest waits in the kernel');
  time.advance(STEP_EVERY_MS);
  await until('all', () => chunks.length === 56);
  await sent(1);
  t.equal(chunks.length, 56, 'it is paused again');
  await link.stop();
  time.advance(STEP_EVERY_MS);
  t.equal(chunks.length, 56, 'and stays so once it is closed');
});

t.test('a socket is not paused for few datagrams, nor in a flood that would fill the kernel', async (t) => {
  const { chunks, time, sent } = await onStandingClock(t);
  for (let datagram = 1; datagram <= 5; datagram++) {
    await sent(1);
    t.equal(chunks.length, datagram);
  }
  time.advance(STEP_EVERY_MS);
  await sent(6);
  await sent(100);
  time.advance(STEP_EVERY_MS);
  await until('the flood', () => chunks.length === 111);
  await turns();
  for (const total of [121, 131]) {
    await sent(10);
    t.equal(chunks.length, total, 'it is read at once');
    time.advance(STEP_EVERY_MS);
  }
});

t.test('a socket is not paused for datagrams so large that some would fill the kernel', async (t) => {
  const { chunks, time, sent } = await onStandingClock(t, 4_000);
  for (const total of [20, 40]) {
    await sent(10);
    await sent(10);
    t.equal(chunks.length, total, 'they are read at once');
    time.advance(STEP_EVERY_MS);
  }
});

t.test('a receiver that is no address is refused', async (t) => {
  const { link } = await openLink(t, anyPort);
  for (const bad of ['', 'x', '127.0.0.1', '127.0.0.1:0', 'host:80'])
    await t.rejects(link.write(Buffer.from('x'), bad), { code: 'invalid_input', message: /link 'rid'/ }, bad);
  await t.rejects(link.write(Buffer.alloc(70_000), '127.0.0.1:9'), { code: 'unavailable', message: /127\.0\.0\.1:9/ });
});

t.test('a datagram from a source that is not allowed is counted and not delivered', async (t) => {
  const { link, chunks } = await openLink(t, { ...anyPort, sources_allow: ['192.0.2.0/24'] });
  const stranger = await sender(t);
  for (let i = 0; i < 5; i++) await stranger.send('x', portOf(link));
  await until('five refusals', () => link.status().notAllowed === 5);
  t.same(chunks, []);
  t.equal(link.status().rxBytes, 0);
  await t.rejects(link.write(Buffer.from('x')), { code: 'conflict' }, 'and it is not written to');
});

t.test(
  'IPv6 senders stand in brackets; IPv4 senders of a dual socket are written as IPv4, and both can be answered',
  { skip: withoutIpv6 },
  async (t) => {
    const { link, chunks } = await openLink(t, { ...anyPort, address: '[::]:0', sources_allow: ['127.0.0.1', '::1'] });
    const [four, six] = [await sender(t), await sender(t, '::1')];
    await four.send('4', portOf(link));
    await six.send('6', portOf(link));
    await until('both', () => chunks.length === 2);
    t.same(chunks.map(({ from }) => from).sort(), [`127.0.0.1:${four.port}`, `[::1]:${six.port}`].sort());
    for (const { from, bytes } of chunks) await link.write(Buffer.from(`re ${Buffer.from(bytes)}`), from);
    await until('both replies', () => four.replies.length + six.replies.length === 2);
    t.same([...four.replies, ...six.replies], ['re 4', 're 6']);
  },
);

t.test('a multicast group is joined, and only the group is heard', async (t) => {
  const time = manualTime();
  const { link, chunks } = await openLink(
    t,
    { ...anyPort, address: '239.77.1.9:0' },
    { nowMs: time.nowMs, timers: time.timers },
  );
  const { socket, send } = await sender(t);
  socket.setMulticastInterface('127.0.0.1');
  const toGroup = (text: string) =>
    new Promise<void>((resolve) => socket.send(text, portOf(link), '239.77.1.9', () => resolve()));
  await send('unicast', portOf(link)).catch(() => {});
  await toGroup('first');
  await until('a datagram of the group', () => chunks.length > 0);
  time.advance(20_000);
  await turns(20);
  await toGroup('again');
  await until('one after the interfaces were looked at again', () => chunks.length > 1);
  t.same(
    chunks.map(({ bytes }) => Buffer.from(bytes).toString()),
    ['first', 'again'],
  );
});

t.test('a second link on a port is told at start who has it, and may have it afterwards', async (t) => {
  const claims = new Claims();
  const first = await openLink(t, { ...anyPort, name: 'rid' }, { claims });
  const port = portOf(first.link);
  for (const address of [`127.0.0.1:${port}`, `0.0.0.0:${port}`, `[::]:${port}`]) {
    const second = rigLink(t, { ...anyPort, name: 'second', address }, { claims });
    t.throws(
      () => second.link.start(),
      { code: 'conflict', message: `port ${port}/udp is in use by link 'rid'` },
      address,
    );
    t.equal(second.link.status().state, 'disabled');
  }
  await first.link.stop();
  const second = await openLink(t, { ...anyPort, name: 'second', address: `127.0.0.1:${port}` }, { claims });
  t.equal(portOf(second.link), port);
});

t.test('a flood of invented senders is forgotten again, oldest first', async (t) => {
  const { link, chunks, gone } = await openLink(t, anyPort);
  const senders = [];
  for (let i = 0; i < receivedMax + 20; i++) senders.push(await sender(t));
  for (const { send } of senders) await send('x', portOf(link));
  await until('every datagram', () => chunks.length === senders.length);
  t.same(
    gone,
    senders.slice(0, 20).map(({ port }) => `127.0.0.1:${port}`),
  );
  t.equal(link.status().overLimit, 20);
  await link.write(Buffer.from('to all'));
  t.equal(link.status().txBytes, receivedMax * 6);
});

t.test('writes that wait on the socket are limited', async (t) => {
  const { link } = await openLink(t, anyPort);
  const sent = await Promise.allSettled(Array.from({ length: 100 }, () => link.write(Buffer.from('x'), '127.0.0.1:9')));
  const refused = sent.filter(({ status }) => status === 'rejected').length;
  t.equal(refused, 36);
  t.equal(link.status().txBytes, 64, 'writes that overlap are all counted');
  await link.write(Buffer.from('x'), '127.0.0.1:9');
});

t.test(
  'a group cannot be joined where there is no interface of that name, and that is said',
  { skip: withoutIpv6 },
  async (t) => {
    const { link } = rigLink(t, { ...anyPort, address: '[ff02::99%nosuch0]:0' });
    link.start();
    await until('the failure', () => link.status().state === 'backoff');
    t.match(link.status().lastError, /could not be joined on any network interface/);
  },
);

t.test('an address that is not of this computer is a back-off that says so', async (t) => {
  const { link } = rigLink(t, { ...anyPort, address: '203.0.113.77:14550' });
  link.start();
  await until('the failure', () => link.status().state === 'backoff');
  t.equal(link.status().lastError, '203.0.113.77 is at present no address of this computer');
});

t.test('datagrams that came faster than they were taken are counted as the kernel drops them', async (t) => {
  const time = manualTime();
  const { link, chunks } = await openLink(t, anyPort, { nowMs: time.nowMs, timers: time.timers });
  const burst = 600;
  const { send } = await sender(t);
  // All of them leave in this turn, and nothing is read before the next; together they are more than the buffer holds.
  await Promise.all(Array.from({ length: burst }, () => send('x'.repeat(60_000), portOf(link))));
  await turns(100);
  time.advance(10_000);
  await until('the drops to be counted', () => link.status().kernelDrops > 0);
  t.equal(chunks.length + link.status().kernelDrops, burst);
});

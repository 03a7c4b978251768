import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import t from 'tap';
import { manualTime, openLink, rigLink, until } from './rig.ts';

/** A receiver that serves whoever dials it. */
async function receiver(t: { teardown(act: () => unknown): void }) {
  const sockets: Socket[] = [];
  let heard = '';
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('data', (bytes) => {
      heard += bytes;
    });
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const shut = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  t.teardown(shut);
  const open = async () => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  return {
    port,
    sockets,
    shut,
    open,
    heard: () => heard,
    spec: { transport: 'tcp_client', address: `127.0.0.1:${port}` } as const,
  };
}

t.test('bytes flow both ways', async (t) => {
  const peer = await receiver(t);
  const { link, text, chunks } = await openLink(t, peer.spec);
  await until('the connection', () => peer.sockets.length === 1);
  peer.sockets[0]?.write('MSG,1');
  await until('bytes', () => text() === 'MSG,1');
  await link.write(Buffer.from('hello'));
  await until('bytes at the peer', () => peer.heard() === 'hello');
  t.equal(chunks[0]?.from, `127.0.0.1:${peer.port}`);
  t.match(link.status(), { state: 'open', rxBytes: 5, txBytes: 5, boundTo: `127.0.0.1:${peer.port}` });
});

t.test('a peer that closes is dialled again, and its half-received frame is forgotten', async (t) => {
  const peer = await receiver(t);
  const { link, text, states, gone } = await openLink(t, peer.spec);
  peer.sockets[0]?.end('first');
  await until('the end', () => link.status().state === 'backoff');
  t.equal(link.status().lastError, `127.0.0.1:${peer.port} closed the connection`);
  t.same(gone, [`127.0.0.1:${peer.port}`]);
  await until('the second connection', () => peer.sockets.length === 2);
  peer.sockets[1]?.write('second');
  await until('bytes again', () => text() === 'firstsecond');
  t.same(states(), ['opening', 'open', 'backoff', 'opening', 'open']);
  t.match(link.status(), { retries: 1, lastError: null });
});

t.test('a peer that is not there is retried until it is', async (t) => {
  const peer = await receiver(t);
  await peer.shut();
  const { link } = rigLink(t, peer.spec);
  link.start();
  await until('the refusal', () => link.status().state === 'backoff');
  t.equal(link.status().lastError, `127.0.0.1:${peer.port} refused the connection: nothing listens there`);
  await peer.open();
  await until('the connection', () => link.status().state === 'open');
});

t.test('a peer that does not answer is given up after five seconds', async (t) => {
  const peer = await receiver(t);
  const time = manualTime();
  const { link } = rigLink(t, peer.spec, { nowMs: time.nowMs, timers: time.timers });
  link.start();
  // The answer cannot be read before the next turn, so on this clock it comes too late.
  time.advance(5_000);
  await until('the end of the attempt', () => link.status().state === 'backoff');
  t.equal(link.status().lastError, `127.0.0.1:${peer.port} did not answer in 5 s`);
});

t.test('a silent peer is dialled again at its deadline', async (t) => {
  const peer = await receiver(t);
  const time = manualTime();
  const { link } = await openLink(t, { ...peer.spec, silence_s: 3 }, { nowMs: time.nowMs, timers: time.timers });
  time.advance(3_000);
  t.match(link.status(), { state: 'backoff', lastError: 'no bytes received for 3 s', silences: 1 });
  time.advance(1_000);
  await until('the second connection', () => peer.sockets.length === 2);
});

t.test('a second write before the first has left is refused, and a peer that takes nothing is cut', async (t) => {
  const peer = await receiver(t);
  const time = manualTime();
  const { link } = await openLink(t, peer.spec, { nowMs: time.nowMs, timers: time.timers });
  await until('the connection', () => peer.sockets.length === 1);
  peer.sockets[0]?.pause();
  const first = link.write(Buffer.alloc(64 * 1024 * 1024));
  await t.rejects(link.write(Buffer.from('x')), {
    code: 'conflict',
    message: /previous message to .* is still being sent/,
  });
  time.advance(5_000);
  await t.rejects(first, { code: 'unavailable', message: /accepted no data for 5 s/ });
  await until('the cut', () => link.status().state === 'backoff');
  t.equal(link.status().txBytes, 0);
});

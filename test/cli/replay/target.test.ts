import { spawn, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { openTarget, parseTarget } from '../../../src/cli/replay/target.ts';

t.test('targets are udp, tcp or serial, and a bad one says so', async (t) => {
  t.same(parseTarget('udp://127.0.0.1:14550'), {
    kind: 'udp',
    host: '127.0.0.1',
    port: 14550,
    text: 'udp://127.0.0.1:14550',
  });
  t.match(parseTarget('tcp://[::1]:30003'), { kind: 'tcp', host: '::1', port: 30003 });
  t.match(parseTarget('serial:/dev/ttyUSB0'), { kind: 'serial', path: '/dev/ttyUSB0' });
  for (const bad of [
    '',
    'udp://127.0.0.1',
    '127.0.0.1:14550',
    'http://a:1',
    'udp://a:0',
    'udp://a:70000',
    'udp://a:1/x',
    'serial:',
    'udp://::1:5',
  ]) {
    t.throws(() => parseTarget(bad), { code: 'invalid_input' }, bad);
  }
});

t.test('udp sends one datagram a frame', async (t) => {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.teardown(() => socket.close());
  const target = await openTarget(`udp://127.0.0.1:${socket.address().port}`);
  const got: string[] = [];
  const all = new Promise<void>((resolve) => {
    socket.on('message', (message) => got.push(message.toString()) === 2 && resolve());
  });
  await target.send(Buffer.from('one'));
  await target.send(Buffer.from('two'));
  await all;
  t.same(got, ['one', 'two']);
  await t.rejects(target.send(Buffer.alloc(70_000)), { code: 'unavailable', message: /cannot send 70000 bytes/ });
  await target.close();
});

t.test('tcp sends a stream, and a sink that does not read holds it back', async (t) => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const accepted = once(server, 'connection');
  const target = await openTarget(`tcp://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const [peer] = (await accepted) as [Socket];

  let taken = 0;
  const sending = (async () => {
    for (; taken < 400; taken++) await target.send(Buffer.alloc(65_536));
  })();
  // The kernel takes some; then, with nobody reading, the count must come to rest.
  for (let last = -1; last !== taken; ) {
    last = taken;
    await delay(100);
  }
  t.ok(taken < 400, `${taken} of 400 pieces were taken before anybody read`);

  let bytes = 0;
  peer.on('data', (chunk) => {
    bytes += chunk.length;
  });
  await sending;
  await target.close();
  if (!peer.destroyed) await once(peer, 'close');
  t.equal(bytes, 400 * 65_536, 'closing lets everything out');
});

t.test('tcp tells of a refused and of a broken connection', async (t) => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const accepted = once(server, 'connection');
  const target = await openTarget(address);
  const [peer] = (await accepted) as [Socket];
  peer.resetAndDestroy();
  const fails = async (): Promise<void> => {
    for (;;) {
      await target.send(Buffer.from('x'));
      await new Promise(setImmediate);
    }
  };
  await t.rejects(fails(), { code: 'unavailable', message: /the connection to tcp.* ended/ });
  await target.close();
  server.close();
  await once(server, 'close');
  await t.rejects(openTarget(address), {
    code: 'unavailable',
    message: /no program listens at tcp.*--link.*tcp_server/,
  });
});

t.test('a name that does not exist is told of', async (t) => {
  await t.rejects(openTarget('udp://no-such-host.invalid:5'), {
    code: 'unavailable',
    message: /cannot resolve the host name/,
  });
  await t.rejects(openTarget('tcp://no-such-host.invalid:5'), { code: 'unavailable', message: /cannot connect/ });
});

const hasSocat = spawnSync('socat', ['-V']).status === 0;
t.test('serial writes to a port, and tells when it cannot', { skip: hasSocat ? false : 'needs socat' }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'serial-'));
  const [near, far] = [join(folder, 'near'), join(folder, 'far')];
  const socat = spawn('socat', [`pty,raw,echo=0,link=${near}`, `pty,raw,echo=0,link=${far}`]);
  t.teardown(async () => {
    if (socat.exitCode === null && socat.signalCode === null) {
      socat.kill();
      await once(socat, 'exit');
    }
    rmSync(folder, { recursive: true });
  });
  for (const deadline = Date.now() + 5000; !(existsSync(near) && existsSync(far)); ) {
    if (Date.now() > deadline) throw new Error('socat made no ports');
    await delay(20);
  }
  await t.rejects(openTarget(`serial:${join(folder, 'absent')}`), {
    code: 'unavailable',
    message: /cannot open serial port/,
  });
  const target = await openTarget(`serial:${near}`, { baud: 57_600 });
  const reader = createReadStream(far, { highWaterMark: 64 });
  // The other end goes away below, which this end may hear as a failed read.
  reader.on('error', () => {});
  const heard = once(reader, 'data');
  await target.send(Buffer.from('hello'));
  t.equal(String((await heard)[0]), 'hello');
  reader.destroy();
  socat.kill();
  await once(socat, 'exit');
  const fails = async (): Promise<void> => {
    for (const deadline = Date.now() + 5000; Date.now() < deadline; await delay(20))
      await target.send(Buffer.from('x'));
  };
  await t.rejects(fails(), { code: 'unavailable', message: /serial port .* failed/ });
  await target.close();
});

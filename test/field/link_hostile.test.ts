import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import t from 'tap';
import { connectionsMax } from '../../src/edge/link/tcp_server.ts';
import { openLink, portOf, until } from '../edge/link/rig.ts';

t.test('two hundred connections at once leave 64 open, the rest counted, and the link alive', async (t) => {
  const { link, text, gone } = await openLink(t, { transport: 'tcp_server', address: '127.0.0.1:0' });
  let closed = 0;
  const sockets = Array.from({ length: 200 }, () => {
    const socket = connect(portOf(link), '127.0.0.1');
    socket.on('error', () => {});
    socket.on('close', () => closed++);
    return socket;
  });
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
  });
  await until('the refusals', () => link.status().overLimit === 200 - connectionsMax);
  await until('their ends', () => closed === 200 - connectionsMax);
  t.equal(link.status().state, 'open');
  for (const socket of sockets) if (!socket.destroyed) socket.write('x');
  await until('a byte from each that is in', () => text().length === connectionsMax);
  for (const socket of sockets) socket.destroy();
  await until('every connection to be gone', () => gone.length === connectionsMax);
});

t.test('connections that reset at once do no harm', async (t) => {
  const { link, text } = await openLink(t, { transport: 'tcp_server', address: '127.0.0.1:0' });
  let ended = 0;
  for (let i = 0; i < 200; i++) {
    const socket = connect(portOf(link), '127.0.0.1', () => socket.resetAndDestroy());
    socket.on('error', () => {});
    socket.on('close', () => ended++);
  }
  await until('their ends', () => ended === 200);
  const good = connect(portOf(link), '127.0.0.1', () => good.write('good'));
  t.teardown(() => good.destroy());
  await until('a good one', () => text() === 'good');
  t.equal(link.status().state, 'open');
});

t.test('a flood of datagrams from a source that is not allowed leaves the allowed one heard', async (t) => {
  const { link, chunks } = await openLink(t, {
    transport: 'udp',
    address: '127.0.0.1:0',
    sources_allow: ['127.0.0.1'],
  });
  const [stranger, friend] = [createSocket('udp4'), createSocket('udp4')];
  t.teardown(() => {
    stranger.close();
    friend.close();
  });
  stranger.bind(0, '127.0.0.66');
  friend.bind(0, '127.0.0.1');
  for (let i = 0; i < 2_000; i++) {
    stranger.send(Buffer.alloc(300), portOf(link), '127.0.0.1');
    if (i % 100 === 99) {
      friend.send('friend', portOf(link), '127.0.0.1');
      const friendly = (i + 1) / 100;
      await until('the friend', () => chunks.length === friendly);
    }
  }
  await until('the refusals', () => link.status().notAllowed >= 1_900);
  t.equal(chunks.length, 20);
  t.equal(link.status().rxBytes, 20 * 6);
  t.ok(chunks.every(({ from }) => from === `127.0.0.1:${friend.address().port}`));
});

t.test('a stream that sends as fast as it can does not keep a quiet link from being heard', async (t) => {
  const loud = await openLink(t, { transport: 'tcp_server', address: '127.0.0.1:0' });
  const quiet = await openLink(t, { transport: 'udp', address: '127.0.0.1:0' });
  const floods = Array.from({ length: 8 }, () => {
    const socket = connect(portOf(loud.link), '127.0.0.1');
    const block = Buffer.alloc(1024 * 1024);
    const more = () => {
      while (!socket.destroyed && socket.write(block));
    };
    socket.on('error', () => {});
    socket.on('connect', more);
    socket.on('drain', more);
    return socket;
  });
  const whisper = createSocket('udp4');
  t.teardown(() => {
    for (const socket of floods) socket.destroy();
    whisper.close();
  });
  await until('the flood', () => loud.link.status().rxBytes > 50_000_000);
  let worstMs = 0;
  for (let i = 1; i <= 20; i++) {
    const sentMs = performance.now();
    whisper.send('psst', portOf(quiet.link), '127.0.0.1');
    await until('the whisper', () => quiet.chunks.length === i);
    worstMs = Math.max(worstMs, performance.now() - sentMs);
  }
  t.comment(`worst wait ${worstMs.toFixed(1)} ms, ${(loud.link.status().rxBytes / 1e6).toFixed(0)} MB of flood`);
  t.ok(worstMs < 1_000, 'no whisper waited a second');
});

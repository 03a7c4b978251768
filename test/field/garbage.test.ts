import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { protocolProblem } from '../../src/host/config/link_checks.ts';
import { type Link, protocols } from '../../src/model/link.ts';
import type { Track } from '../../src/model/track.ts';
import { until } from '../support/basics/deadline.ts';
import { randomFrom } from '../support/basics/random.ts';
import { seedOf } from '../support/basics/seed.ts';
import { timesOf } from '../support/basics/size.ts';
import type { Daemon } from '../support/daemon/daemon.ts';
import { fieldBox, radarConfig, textOf } from '../support/daemon/field_box.ts';
import { metricOf, rssMib, smallHeap } from '../support/daemon/program.ts';
import { flySwarm, serialOf } from '../support/daemon/swarm.ts';
import { readStream } from '../support/http/stream_reader.ts';

const megabytes = timesOf({ usual: 3, full: 10 });
const maxDatagramBytes = 2_000;

const links = protocols
  .flatMap((protocol) => [
    { name: `${protocol} udp`, transport: 'udp' as const, protocol },
    { name: `${protocol} tcp`, transport: 'tcp_server' as const, protocol },
  ])
  // Dongles that this side sets up are dialled; scripts/fuzz/radio.ts sends garbage to their codecs.
  .filter((link) => protocolProblem(link) === null);

const config = `${radarConfig}${links
  .map(
    ({ name, transport, protocol }) =>
      `  - {name: ${name}, transport: ${transport}, address: 127.0.0.1:0, protocol: ${protocol}}\n`,
  )
  .join('')}`;

/** A mebibyte of bytes, all values alike, but for frame starts and line ends that make codecs look twice. */
function noise(random: () => number): Buffer {
  const bytes = Buffer.alloc(1024 * 1024);
  for (let at = 0; at < bytes.length; at++) bytes[at] = Math.floor(random() * 256);
  for (let at = 0; at < bytes.length; at += 1 + Math.floor(random() * 200))
    bytes[at] = [0xfd, 0xfe, 0x0a, 0x24, 0x7b][at % 5] ?? 0;
  return bytes;
}

/** Links whose protocol has no mark of a new frame: a connection that is out of step is closed. */
const cutting = new Set(['sapient tcp']);

async function pourTcp(t: Test, port: number, block: Buffer): Promise<void> {
  let socket = await dial(t, port);
  for (let n = 0; n < megabytes; n++) {
    if (socket.destroyed || socket.readyState !== 'open') socket = await dial(t, port);
    // Each block begins elsewhere, so that no frame is cut at the same place twice.
    const turned = Buffer.concat([block.subarray(n * 997), block.subarray(0, n * 997)]);
    if (!socket.write(turned)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {});
  }
  if (socket.destroyed) return;
  socket.end();
  await once(socket, 'close');
}

async function dial(t: Test, port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  // A link may close the connection while it is written to.
  socket.on('error', () => socket.destroy());
  socket.resume();
  await once(socket, 'connect');
  return socket;
}

/** What the kernel has no room for is dropped there, so this goes on until enough has come through. */
async function pourUdp(daemon: Daemon, name: string, block: Buffer, random: () => number): Promise<void> {
  const port = await daemon.port(name);
  const socket = createSocket('udp4');
  while (((await linksOf(daemon)).get(name)?.rx_bytes ?? 0) < megabytes * block.length) {
    for (let sent = 0; sent < 256 * 1024; ) {
      const at = Math.floor(random() * (block.length - maxDatagramBytes));
      const piece = block.subarray(at, at + 1 + Math.floor(random() * maxDatagramBytes));
      await new Promise((resolve) => socket.send(piece, port, '127.0.0.1', resolve));
      sent += piece.length;
    }
  }
  socket.close();
}

async function linksOf(daemon: Daemon): Promise<Map<string, Link>> {
  return new Map((await daemon.get<Link[]>('/api/links')).map((link) => [link.name, link]));
}

t.test('garbage on links of every protocol: counted, held nowhere, and an aircraft is tracked meanwhile', async (t) => {
  const seed = seedOf(t);
  const random = randomFrom(seed);
  const block = noise(random);
  const daemon = await fieldBox(t, config).spawn({ command: smallHeap });
  const swarm = flySwarm(t, await daemon.port('rows'), { count: 1, hz: 10, sensor: 'mast' });
  const stream = await readStream(t, daemon.url);
  const born = await stream.first('the aircraft', ({ kind }) => kind === 'track_new');
  const id = born.body.id;
  const peakMib = { before: 0, during: 0 };
  const pour = async ({ name, transport }: (typeof links)[number]): Promise<void> =>
    transport === 'udp' ? pourUdp(daemon, name, block, random) : pourTcp(t, await daemon.port(name), block);

  // The first of each kind warms up: what is needed at all is then there.
  const [firstUdp, firstTcp, ...others] = links;
  for (const link of [firstUdp, firstTcp]) if (link) await pour(link);
  peakMib.before = rssMib(daemon.process.pid);
  const watching = setInterval(() => {
    peakMib.during = Math.max(peakMib.during, rssMib(daemon.process.pid));
  }, 50);
  t.teardown(() => clearInterval(watching));
  const beganMs = performance.now();
  const updates = () => stream.events.filter(({ kind, body }) => kind === 'track_update' && body.id === id);
  for (const link of others) {
    const before = updates().length;
    await pour(link);
    await until(`the next update of the aircraft, after garbage on ${link.name}`, () => updates().length > before);
  }
  const tookS = (performance.now() - beganMs) / 1_000;
  clearInterval(watching);

  const after = await linksOf(daemon);
  for (const { name } of links) {
    const link = after.get(name);
    const counted = Object.values(link?.rejects ?? {}).reduce((sum, n) => sum + n, 0);
    t.ok(counted > 0, `${name}: ${link?.rx_bytes} bytes, ${counted} refused, ${link?.rx_msgs} taken for messages`);
    t.equal(link?.state, 'open');
    t.ok((link?.rx_bytes ?? 0) >= (cutting.has(name) ? megabytes : megabytes * block.length));
  }
  const halfMib = Math.min(64, (others.length * megabytes) / 2);
  t.ok(
    peakMib.during - peakMib.before < halfMib,
    `resident memory went from ${peakMib.before.toFixed(0)} to ${peakMib.during.toFixed(0)} MiB`,
  );

  const tracks = await daemon.get<Track[]>('/api/tracks');
  const own = tracks.filter(({ identities }) => identities.some(({ value }) => value === serialOf(0)));
  t.match(own, [{ id, state: 'confirmed' }], 'it is one confirmed track');
  const page = await textOf(daemon, '/metrics');
  t.equal(
    metricOf(page, 'dunlin_link_rejects_total{link="rows",reason="malformed"}'),
    0,
    'its own link has no garbage',
  );
  const errors = daemon.lines.filter((line) => Number(line.level) >= 50);
  t.same(errors, [], 'no error is logged');
  t.ok(daemon.lines.length < 200, `${daemon.lines.length} lines of log: not one a frame`);
  const gapsMs = updates().map(({ arrivedMs }, at, all) => arrivedMs - (all[at - 1]?.arrivedMs ?? arrivedMs));
  t.comment(`the aircraft was published at least every ${Math.max(...gapsMs).toFixed(0)} ms`);
  t.comment(
    `${links.length * megabytes} MiB in ${tookS.toFixed(1)} s; ${tracks.length - 1} tracks made of noise; ${swarm.sent()} rows`,
  );
  t.equal(await daemon.end(), 0);
});

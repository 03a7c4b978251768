import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { sapientFrame, sapientTime } from '../../src/edge/wire/sapient/encode.ts';
import { MqttBroker } from '../../test/support/links/mqtt_broker.ts';
import { type BenchDaemon, inFolder, withDaemon } from './daemon.ts';
import { Watch } from './latency_watch.ts';
import { median, quantile, type Row } from './row.ts';
import { macOf, Senders, send } from './senders.ts';
import { readStream } from './stream_reader.ts';

const TRACKS = 300;
const RUNS = 3;
const WARM_S = 4;
const RUN_S = 6;
/** Time for the last updates of a run to arrive, ms. */
const AFTER_MS = 500;
const NODE_ID = 'b4b8a4f6-3c1e-4d7a-9a56-2f1f5c0d7e11';

/** A system that takes all that an outlet sends, and does next to nothing with it: the CPU is the daemon's. */
type Peer = { name: string; outlet: string; received(): number; close(): void };

/**
 * Measures what each kind of outlet costs the picture, with 300 tracks at 1 Hz, without outlets and beside one of each
 * kind. The time is that from handing a report to the kernel until its event is read from the stream.
 */
export async function benchPictureBesideOutlets(): Promise<Row[]> {
  const peers = [
    await datagramPeer('cot over UDP', 'kind: cot'),
    await streamPeer('cot over TCP', 'kind: cot', () => null),
    await streamPeer('sapient', 'kind: sapient', acknowledgement),
    await brokerPeer(),
    await datagramPeer('asterix', 'kind: asterix, options: {sac: 1, sic: 2}'),
    await datagramPeer('gdl90', 'kind: gdl90'),
  ];
  const before = await p95Beside(null);
  const rows: Row[] = [];
  for (const peer of peers) {
    const value = await p95Beside(peer);
    if (peer.received() === 0) throw new Error(`the outlet ${peer.name} sent nothing`);
    rows.push({ name: `p95 of the picture beside ${peer.name}`, value, unit: 'ms' });
    rows.push({ name: `sent to ${peer.name}`, value: peer.received() / 1e6, unit: 'MB' });
    peer.close();
  }
  const after = await p95Beside(null);
  return [
    { name: `p95 of the picture, ${TRACKS} tracks at 1 Hz, no outlet: before`, value: before, unit: 'ms' },
    ...rows,
    { name: 'p95 of the picture, no outlet: after', value: after, unit: 'ms' },
  ];
}

function p95Beside(peer: Peer | null): Promise<number> {
  const config = peer === null ? '' : `outlets:\n  - {name: peer, ${peer.outlet}, pace: {max_msgs_per_s: 5000}}\n`;
  return inFolder((dataDir) => withDaemon({ dataDir, config }, measured));
}

async function measured({ url, port }: BenchDaemon): Promise<number> {
  const watch = new Watch(Array.from({ length: TRACKS }, (_, sender) => macOf(sender)));
  const close = await readStream(url, (event, atMs) => watch.take(event, atMs));
  const senders = new Senders(TRACKS);
  const sending = (sender: number, heightM: number): void => watch.sent(sender, heightM);
  await send({ port, senders, perS: TRACKS, seconds: WARM_S, sending });
  const p95s: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    watch.reset();
    await send({ port, senders, perS: TRACKS, seconds: RUN_S, sending });
    await wait(AFTER_MS);
    p95s.push(quantile(watch.latencies(), 0.95));
  }
  close();
  return median(p95s);
}

async function datagramPeer(name: string, kind: string): Promise<Peer> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 * 1024 });
  let bytes = 0;
  socket.on('message', ({ length }) => {
    bytes += length;
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const outlet = `${kind}, transport: udp, address: '127.0.0.1:${socket.address().port}'`;
  return { name, outlet, received: () => bytes, close: () => socket.close() };
}

/** `answer` makes the answer to the first bytes of a connection; null for none. */
async function streamPeer(name: string, kind: string, answer: () => Uint8Array | null): Promise<Peer> {
  let bytes = 0;
  const server = createServer((socket) => {
    socket.once('data', () => {
      const reply = answer();
      if (reply !== null) socket.write(reply);
    });
    socket.on('data', ({ length }) => {
      bytes += length;
    });
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const outlet = `${kind}, transport: tcp_client, address: '127.0.0.1:${(server.address() as AddressInfo).port}'`;
  return { name, outlet, received: () => bytes, close: () => void server.close() };
}

const acknowledgement = (): Uint8Array =>
  sapientFrame({
    ...{ timestamp: sapientTime(Date.now()), node_id: NODE_ID },
    registration_ack: { acceptance: true, ack_response_reason: [] },
  });

async function brokerPeer(): Promise<Peer> {
  const ends: (() => unknown)[] = [];
  const broker = await MqttBroker.start({ teardown: (end: () => unknown) => void ends.push(end) });
  const outlet = `kind: mqtt, transport: tcp_client, address: '${broker.address}'`;
  const received = (): number => broker.published.reduce((sum, { payload }) => sum + payload.length, 0);
  return { name: 'mqtt', outlet, received, close: () => void Promise.all(ends.map((end) => end())) };
}

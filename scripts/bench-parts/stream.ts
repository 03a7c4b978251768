import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Access } from '../../src/access/access.ts';
import type { StreamSource } from '../../src/app/shown_stream.ts';
import { samplePicture, sampleTrack } from '../../src/http/openapi/samples.ts';
import type { ServedLogLevel, ServedMaps, ServedWorkspace } from '../../src/http/served.ts';
import { createServer } from '../../src/http/server.ts';
import { httpDefaults } from '../../src/http/settings.ts';
import type { Flush, StreamEvent } from '../../src/model/event.ts';
import { LEADS_S } from '../../src/model/track_row.ts';

export type StreamBench = {
  /** Share of one core, 0 to 1: writing events out and sending them; making the changes is not counted. */
  cpuShare: number;
  clients: number;
  tracks: number;
  hz: number;
  mbPerS: number;
  eventsPerS: number;
  rssMb: number;
};

/** `predictEvery`: each so many updates of a track carry predictions; `profile` is what the clients ask for. */
type StreamLoad = {
  clients?: number;
  tracks?: number;
  hz?: number;
  seconds?: number;
  predictEvery?: number;
  profile?: 'full' | 'light';
};

/** Streams `tracks` changes `hz` times a second to `clients` readers, which run in another process. */
export async function benchStream(load: StreamLoad = {}): Promise<StreamBench> {
  const { clients = 30, tracks = 500, hz = 2, seconds = 10, predictEvery = hz, profile = 'full' } = load;
  const source = createSource(tracks, predictEvery);
  let bytes = 0;
  const metrics = {
    count: (name: string, n = 1) => {
      if (name === 'stream_bytes_total') bytes += n;
    },
    gauge: () => {},
    text: () => '',
  };
  // One address may hold a quarter of the streams.
  const stream = { ...httpDefaults.stream, clients: 4 * clients };
  const settings = { ...httpDefaults, stream, listen: { host: '127.0.0.1', port: 0 } };
  const boxTime = () => ({ box_at: new Date().toISOString(), trust: 'ntp' });
  const parts = { id: 'wsp_bench', name: 'bench', stream: () => source.stream, boxTime, shown: {} };
  const workspace = parts as unknown as ServedWorkspace;
  const workspaces = { first: workspace, get: () => workspace, list: () => [workspace], open: async () => {} };
  const users = { areThere: () => false };
  const access = { users, onPermissionsChanged: () => () => {} } as unknown as Access;
  const maps = {} as ServedMaps;
  const log = { info: () => {}, error: console.error };
  const server = createServer({ workspaces, maps, logLevel: {} as ServedLogLevel, access, settings, log, metrics });
  const { url } = await server.start();
  const readers = fork(fileURLToPath(import.meta.url), [new URL(url).port, String(clients), profile]);
  await once(readers, 'message');

  for (let i = 0; i < 2 * hz; i++) await tick(source, hz);
  const before = process.cpuUsage();
  const started = performance.now();
  bytes = 0;
  let making = 0;
  for (let i = 0; i < seconds * hz; i++) making += await tick(source, hz);
  const spent = process.cpuUsage(before);
  const elapsedMs = performance.now() - started;
  const rssMb = process.memoryUsage().rss / 1e6;
  readers.send('count');
  const [{ events }] = (await once(readers, 'message')) as [{ events: number }];
  readers.kill();
  await server.stop();
  const least = clients * tracks * seconds * (profile === 'light' ? 0.9 : hz);
  if (events < least) throw new Error(`only ${events} events arrived`);
  return {
    cpuShare: ((spent.user + spent.system) / 1_000 - making) / elapsedMs,
    clients,
    tracks,
    hz,
    mbPerS: bytes / 1e3 / elapsedMs,
    eventsPerS: events / (elapsedMs / 1_000),
    rssMb,
  };
}

type Source = { stream: StreamSource; make(): StreamEvent[]; send(events: StreamEvent[]): void };

/** One tick; resolves with the processor time that making its changes took, in milliseconds. */
async function tick(source: Source, hz: number): Promise<number> {
  const before = process.cpuUsage();
  const events = source.make();
  const made = process.cpuUsage(before);
  source.send(events);
  await setTimeout(1_000 / hz);
  return (made.user + made.system) / 1_000;
}

function createSource(tracks: number, predictEvery: number): Source {
  const callbacks = new Set<(flush: Flush) => void>();
  let seq = 0;
  let round = 0;
  return {
    stream: {
      snapshot: () => ({ ...samplePicture, epoch: 'bench', seq }),
      now: () => ({ epoch: 'bench', seq, at: new Date().toISOString() }),
      since: () => null,
      follow(callback) {
        callbacks.add(callback);
        return () => callbacks.delete(callback);
      },
    },
    make() {
      const at = new Date().toISOString();
      const isPredicted = round++ % predictEvery === 0;
      return Array.from({ length: tracks }, (_, i) => ({
        seq: ++seq,
        at,
        kind: 'track_update' as const,
        body: changeOf(i, at, isPredicted),
      }));
    },
    send(events) {
      for (const callback of callbacks) callback({ epoch: 'bench', events });
    },
  };
}

/** What changes of a track that is flying and seen: about 700 bytes, and 450 more with predictions. */
function changeOf(i: number, at: string, isPredicted: boolean): object {
  const { position, velocity, uncertainty, contributors, predicted } = sampleTrack;
  const shift = Math.random() / 1_000;
  return {
    id: `5e0f6a52-0d3c-8a11-9c55-${String(i).padStart(12, '0')}`,
    position: { ...position, lat: 48 + shift, lon: 16 + shift },
    velocity: { ...velocity, course_deg: shift * 1_000 },
    uncertainty,
    contributors: contributors.map((one) => ({ ...one, last_at: at })),
    ...(isPredicted ? { predicted: LEADS_S.map((in_s) => ({ ...predicted[0], in_s })) } : {}),
    last_seen_at: at,
    updated_at: at,
  };
}

/** The readers' process: opens the streams, then tells how many events have come when asked. */
async function readStreams(port: number, clients: number, profile: string): Promise<void> {
  let events = 0;
  const mark = Buffer.from('\nevent: track_update');
  const opened = Array.from({ length: clients }, async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET /api/stream?profile=${profile} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    await once(socket, 'data');
    let rest = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      const bytes = Buffer.concat([rest, chunk]);
      for (let found = bytes.indexOf(mark); found !== -1; found = bytes.indexOf(mark, found + 1)) events++;
      rest = bytes.subarray(-(mark.length - 1));
    });
  });
  await Promise.all(opened);
  process.on('message', () => process.send?.({ events }));
  process.send?.('ready');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [port, clients, profile = 'full'] = process.argv.slice(2);
  if (process.send !== undefined) await readStreams(Number(port), Number(clients), profile);
  else process.stdout.write(`${JSON.stringify(await benchStream(), null, 2)}\n`);
}

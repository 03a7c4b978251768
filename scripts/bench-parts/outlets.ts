import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type BenchDaemon, inFolder, withDaemon } from './daemon.ts';
import { shares } from './process.ts';
import { quantile, type Row } from './row.ts';

const TRACKS = 300;
const WARM_S = 5;
const RUN_S = 20;
const TARGET_P95_MS = 250;
const TICK_MS = 10;
const ORIGIN_LAT = 47.4;
const METRES_A_DEGREE = 111_194;
const SPEED_MPS = 10;

/** Reports by aircraft and second. An event shows by its latitude which report of its aircraft it is of. */
class Reports {
  readonly #sentMs = new Map<string, number>();
  readonly latencies: number[] = [];

  sent(aircraft: number, second: number): void {
    this.#sentMs.set(`${aircraft} ${second}`, performance.now());
  }

  take(text: string): void {
    const aircraft = Number(/serial="1581F(\d+)"/.exec(text)?.[1]);
    const northM = (Number(/lat="([\d.]+)"/.exec(text)?.[1]) - ORIGIN_LAT) * METRES_A_DEGREE;
    const flownS = (northM - Math.floor(aircraft / 20) * 400) / SPEED_MPS;
    const report = `${aircraft} ${Math.round(flownS - aircraft / TRACKS)}`;
    const sentMs = this.#sentMs.get(report);
    this.#sentMs.delete(report);
    if (sentMs !== undefined) this.latencies.push(performance.now() - sentMs);
  }

  reset(): void {
    this.latencies.length = 0;
    this.#sentMs.clear();
  }
}

/**
 * Measures the time from handing a report to the kernel until its event is read at the socket of a UDP outlet. A TCP outlet
 * runs beside it. Each of the tracks is reported once a second.
 */
export async function benchOutlets(): Promise<Row[]> {
  const reports = new Reports();
  const datagrams = createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 * 1024 });
  datagrams.on('message', (bytes) => reports.take(bytes.toString('latin1')));
  datagrams.bind(0, '127.0.0.1');
  await once(datagrams, 'listening');
  let streamBytes = 0;
  const server = createServer((socket) => {
    socket.on('data', (bytes) => {
      streamBytes += bytes.length;
    });
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const [udp, tcp] = [datagrams.address().port, (server.address() as AddressInfo).port];
  const without = await run('', reports);
  const config = `outlets:
  - {name: udp, kind: cot, transport: udp, address: '127.0.0.1:${udp}', pace: {max_msgs_per_s: 5000}}
  - {name: tcp, kind: cot, transport: tcp_client, address: '127.0.0.1:${tcp}', pace: {max_msgs_per_s: 5000}}
`;
  const { cpu, latencies } = await run(config, reports);
  datagrams.close();
  server.close();
  const percentile = (of: number): Row => ({
    name: `p${of * 100} from report to event, ${TRACKS} tracks at 1 Hz`,
    value: quantile(latencies, of),
    unit: 'ms',
    ...(of === 0.95 ? { target: { atMost: TARGET_P95_MS } } : {}),
  });
  return [
    ...[0.5, 0.95, 0.99].map(percentile),
    { name: 'reports without an event', value: TRACKS * RUN_S - latencies.length, unit: 'of all' },
    { name: 'stream of the TCP outlet', value: streamBytes / 1e6, unit: 'MB' },
    { name: 'main thread without outlets', value: without.cpu.main, unit: '% of a core' },
    { name: 'main thread with two outlets', value: cpu.main, unit: '% of a core' },
  ];
}

const sensors = `sensors:
  - {name: mast, modality: remote_id, placement: {lat: 47.4, lon: 8.5, alt_hae_m: 450}}
links:
  - {name: rows, transport: udp, address: '127.0.0.1:0', protocol: obs_json}
`;

function run(outlets: string, reports: Reports) {
  const config = `${sensors}${outlets}`;
  return inFolder((dataDir) => withDaemon({ dataDir, config }, (daemon) => measured(daemon, reports)));
}

async function measured(daemon: BenchDaemon, reports: Reports) {
  const port = await rowsPort(daemon);
  await report(port, WARM_S, 0, reports);
  reports.reset();
  const [before, beganMs] = [daemon.cpu(), performance.now()];
  await report(port, RUN_S, WARM_S, reports);
  await wait(1_000);
  const cpu = shares(before, daemon.cpu(), (performance.now() - beganMs) / 1_000);
  return { cpu, latencies: [...reports.latencies] };
}

async function rowsPort({ url }: BenchDaemon): Promise<number> {
  const answer = (await (await fetch(`${url}/api/links`)).json()) as { data: { name: string; bound_to: string }[] };
  return Number(
    answer.data
      .find(({ name }) => name === 'rows')
      ?.bound_to.split(':')
      .at(-1),
  );
}

/** Reports each aircraft once a second, evenly spread. */
async function report(port: number, seconds: number, fromS: number, reports: Reports): Promise<void> {
  const socket = createSocket('udp4');
  const beganMs = performance.now();
  for (let next = 0; next < seconds * TRACKS; ) {
    const dueBy = ((performance.now() - beganMs) / 1_000) * TRACKS;
    for (; next < Math.min(dueBy, seconds * TRACKS); next++) {
      reports.sent(next % TRACKS, fromS + Math.floor(next / TRACKS));
      socket.send(`${JSON.stringify(rowOf(next % TRACKS, fromS + next / TRACKS))}\n`, port, '127.0.0.1');
    }
    await wait(TICK_MS);
  }
  socket.close();
}

function rowOf(aircraft: number, flownS: number): object {
  const northM = Math.floor(aircraft / 20) * 400 + SPEED_MPS * flownS;
  const eastM = (aircraft % 20) * 400;
  const position = { lat: ORIGIN_LAT + northM / METRES_A_DEGREE, lon: 8.5 + eastM / 75_270, alt_hae_m: 600 };
  const value = `1581F${String(aircraft).padStart(12, '0')}`;
  return {
    ...{ sensor_id: 'mast', report: 'position', position, sigma: { h_m: 5, v_m: 5 } },
    velocity: { speed_mps: SPEED_MPS, course_deg: 0, climb_mps: 0 },
    identity: [{ type: 'serial', value, transport: 'bt5' }],
  };
}

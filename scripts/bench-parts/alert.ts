import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { MavlinkEncoder } from '../../src/edge/wire/mavlink/encode.ts';
import { writeOdid } from '../../src/edge/wire/mavlink/write_odid.ts';
import { type BenchDaemon, inFolder, withDaemon } from './daemon.ts';
import { shares } from './process.ts';
import { quantile, type Row } from './row.ts';
import { locationOf, macOf, Senders, send } from './senders.ts';
import { readStream, type StreamEvent } from './stream_reader.ts';

const PER_S = 2_000;
const SENDERS = 500;
/** Those that fly into zones, each into one of its own: of several in one zone the later ones are no new alert. */
const INTRUDERS = 200;
const FIRST_S = 8;
/** From one to the next that crosses an edge. */
const APART_S = 0.12;
const FLIES_S = 6;
/** In the second in which it comes in. */
const DART_M = 24;
const RADIUS_M = 200;
const AFTER_MS = 1_500;
const TARGET_P95_MS = 100;
const DEGREES_A_METRE = 1 / 111_194;

/**
 * Aircraft come into protected zones while others fill the sky: from the report by which one is inside, as it is handed to
 * the kernel, until its alert was read from a stream's socket.
 */
export async function benchAlert(): Promise<Row[]> {
  return await inFolder((dataDir) => withDaemon({ dataDir }, measure));
}

async function measure(daemon: BenchDaemon): Promise<Row[]> {
  for (let i = 0; i < INTRUDERS; i++) await addZone(daemon.url, i);
  const watch = new AlertWatch();
  const close = await readStream(daemon.url, (event, atMs) => watch.take(event, atMs));
  const [before, beganMs] = [daemon.cpu(), performance.now()];
  const seconds = FIRST_S + INTRUDERS * APART_S + 2;
  await Promise.all([
    send({ port: daemon.port, senders: new Senders(SENDERS), perS: PER_S, seconds }),
    intrude(daemon.port, (intruder) => watch.crossed(intruder)),
  ]);
  const cpu = shares(before, daemon.cpu(), (performance.now() - beganMs) / 1_000);
  await wait(AFTER_MS);
  close();
  const name = `at ${PER_S} observations a second`;
  const figures = (what: string, of: readonly number[], target: Pick<Row, 'target'>): Row[] => [
    { name: `${what} ${name}, p50`, value: quantile(of, 0.5), unit: 'ms' },
    { name: `${what} ${name}, p95`, value: quantile(of, 0.95), unit: 'ms', ...target },
    { name: `${what} ${name}, p99`, value: quantile(of, 0.99), unit: 'ms' },
  ];
  const { fromReport, fromLevel } = watch.latencies();
  return [
    ...figures('report of who is inside to alert', fromReport, { target: { below: TARGET_P95_MS } }),
    ...figures('change of level to alert', fromLevel, {}),
    { name: 'alerts that did not come', value: INTRUDERS - fromReport.length, unit: 'alerts', target: { atMost: 0 } },
    { name: 'of those that came, after a change of level', value: fromLevel.length, unit: 'alerts' },
    { name: `CPU ${name}, main`, value: cpu.main, unit: '% of a core' },
    { name: `CPU ${name}, core`, value: cpu.core, unit: '% of a core' },
    { name: `main thread kept waiting ${name}`, value: cpu.waited, unit: '% of the time' },
  ];
}

async function addZone(url: string, intruder: number): Promise<void> {
  const { latDeg, lonDeg } = middleOf(intruder);
  const geometry = { type: 'Point', coordinates: [lonDeg, latDeg], radius_m: RADIUS_M };
  const body = JSON.stringify({ name: `zone ${intruder}`, kind: 'protected', geometry });
  const answer = await fetch(`${url}/api/zones`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  if (answer.status !== 200) throw new Error(`a zone was refused: ${await answer.text()}`);
}

/** Two kilometres from each other, away from all others. */
function middleOf(intruder: number): { latDeg: number; lonDeg: number } {
  const [row, column] = [Math.floor(intruder / 20), intruder % 20];
  return { latDeg: 48 + row * 2_000 * DEGREES_A_METRE, lonDeg: 9 + (column * 2_000 * DEGREES_A_METRE) / 0.66 };
}

const intruderMac = (intruder: number): string => macOf(SENDERS + intruder);

/** Each stands before an edge and tells so once a second; between two reports it darts over it. */
async function intrude(port: number, crossed: (intruder: number) => void): Promise<void> {
  const encoder = new MavlinkEncoder({ sysid: 1, compid: 237 });
  const socket = createSocket('udp4');
  socket.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const reports = Array.from({ length: INTRUDERS }, (_, intruder) =>
    Array.from({ length: FLIES_S + 3 }, (_, i) => ({ intruder, s: i - FLIES_S })),
  ).flat();
  const dueS = ({ intruder, s }: { intruder: number; s: number }): number => FIRST_S + intruder * APART_S + s;
  reports.sort((a, b) => dueS(a) - dueS(b));
  const beganMs = performance.now();
  for (const report of reports) {
    const waitMs = beganMs + dueS(report) * 1_000 - performance.now();
    if (waitMs > 0) await wait(waitMs);
    const { intruder, s } = report;
    const { latDeg, lonDeg } = middleOf(intruder);
    // Nobody can tell beforehand: what flies evenly is found inside by where it must be by then, before it says so.
    const northM = -RADIUS_M + (s < 0 ? -1 : 1 + 2 * s) * (DART_M / 2);
    const place = { latDeg: latDeg + northM * DEGREES_A_METRE, lonDeg };
    const location = { ...locationOf(0, 1, 100), ...place, speedHMps: s < 0 ? 0 : DART_M };
    if (s === 0) crossed(intruder);
    socket.send(encoder.encode(writeOdid({ mac: intruderMac(intruder) }, location)));
  }
  socket.close();
}

type Crossing = { atMs: number; levelMs: number; alertMs: number };

/** When each was inside, when its level changed by that, and when its alert came. */
class AlertWatch {
  readonly #intruderOfMac = new Map(Array.from({ length: INTRUDERS }, (_, i) => [intruderMac(i), i]));
  readonly #intruderOfTrack = new Map<string, number>();
  readonly #levels = new Map<number, string>();
  readonly #crossings = new Map<number, Crossing>();

  crossed(intruder: number): void {
    this.#crossings.set(intruder, { atMs: performance.now(), levelMs: Number.NaN, alertMs: Number.NaN });
  }

  take({ kind, data }: StreamEvent, atMs: number): void {
    if (kind === 'track_new') this.#takeTrack(data);
    else if (kind === 'threat_update') this.#takeThreat(data, atMs);
    else if (kind === 'alert') this.#takeAlert(data, atMs);
  }

  latencies(): { fromReport: number[]; fromLevel: number[] } {
    const known = (ms: number): boolean => !Number.isNaN(ms);
    const crossings = [...this.#crossings.values()];
    return {
      fromReport: crossings.map(({ atMs, alertMs }) => alertMs - atMs).filter(known),
      fromLevel: crossings.map(({ levelMs, alertMs }) => alertMs - levelMs).filter(known),
    };
  }

  #takeTrack(data: string): void {
    const id = /"body":{.*?"id":"([^"]+)"/.exec(data)?.[1] ?? '';
    const intruder = this.#intruderOfMac.get(/"mac","value":"([^"]+)"/.exec(data)?.[1] ?? '');
    if (intruder !== undefined) this.#intruderOfTrack.set(id, intruder);
  }

  #takeThreat(data: string, atMs: number): void {
    const intruder = this.#intruderOfTrack.get(/"track_id":"([^"]+)"/.exec(data)?.[1] ?? '');
    const level = /"level":"([^"]+)"/.exec(data)?.[1] ?? '';
    if (intruder === undefined || this.#levels.get(intruder) === level) return;
    this.#levels.set(intruder, level);
    const crossing = this.#crossings.get(intruder);
    // A level that changes later is one that rises with time.
    if (crossing && Number.isNaN(crossing.levelMs) && !(crossing.alertMs < atMs)) crossing.levelMs = atMs;
  }

  #takeAlert(data: string, atMs: number): void {
    const intruder = this.#intruderOfTrack.get(/"track_ids":\["([^"]+)"/.exec(data)?.[1] ?? '');
    const crossing = intruder === undefined ? undefined : this.#crossings.get(intruder);
    if (crossing && Number.isNaN(crossing.alertMs)) crossing.alertMs = atMs;
  }
}

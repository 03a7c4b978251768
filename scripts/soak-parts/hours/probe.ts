import { createSocket } from 'node:dgram';
import { MavlinkEncoder } from '../../../src/edge/wire/mavlink/encode.ts';
import { writeOdid } from '../../../src/edge/wire/mavlink/write_odid.ts';
import type { OdidLocation } from '../../../src/edge/wire/odid/message.ts';
import { Watch } from '../../bench-parts/latency_watch.ts';
import { quantile } from '../../bench-parts/row.ts';
import { HEIGHTS, locationOf } from '../../bench-parts/senders.ts';
import { readStream } from '../../bench-parts/stream_reader.ts';
import { placeOf } from './expected.ts';
import type { Work } from './work.ts';

const AIRCRAFT = 3;
/** A lap along a line of 60 m, there and back, at 1 m/s. */
const LAP_S = 120;

export type Latency = { p50: number; p95: number; count: number };

/**
 * Measures the time from handing a report to the kernel until its event is read from the stream. Three aircraft of its own
 * report once a second each, below the rate at which updates are merged.
 */
export class Probe {
  readonly #watch: Watch;

  private constructor(watch: Watch) {
    this.#watch = watch;
  }

  static async open(work: Work, url: string, port: number): Promise<Probe> {
    const macs = Array.from({ length: AIRCRAFT }, (_, n) => `AA:BB:CC:0F:00:0${n}`);
    const watch = new Watch(macs);
    work.atEnd(await readStream(url, (event, atMs) => watch.take(event, atMs)));
    const socket = createSocket('udp4');
    socket.connect(port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.on('error', (error) => work.failures.note('probe socket', error.message));
    const encoder = new MavlinkEncoder({ sysid: 201, compid: 236 });
    let turn = 0;
    work.tick(1_000 / AIRCRAFT, () => {
      const n = turn % AIRCRAFT;
      const step = Math.floor(turn / AIRCRAFT);
      const heightM = (step % HEIGHTS) / 2;
      watch.sent(n, heightM);
      socket.send(encoder.encode(writeOdid({ mac: macs[n] ?? '' }, reportOf(n, step, heightM))));
      turn++;
    });
    work.atEnd(() => socket.close());
    return new Probe(watch);
  }

  /** The latencies since the last call. */
  take(): Latency {
    const ms = this.#watch.latencies();
    this.#watch.forget();
    return { p50: quantile(ms, 0.5), p95: quantile(ms, 0.95), count: ms.length };
  }
}

function reportOf(n: number, step: number, heightM: number): OdidLocation {
  const lap = step % LAP_S;
  const isBack = lap >= LAP_S / 2;
  const { lat, lon } = placeOf(-3_000 + (isBack ? LAP_S - lap : lap), 3_000 + 500 * n);
  const moving = { directionDeg: isBack ? 180 : 0, speedHMps: 1 };
  return { ...locationOf(0, 0, heightM), latDeg: lat, lonDeg: lon, ...moving };
}

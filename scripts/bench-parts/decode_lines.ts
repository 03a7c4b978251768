import { argv, cpuUsage } from 'node:process';
import { fileURLToPath } from 'node:url';
import type { WireMessage } from '../../src/edge/feed/protocols.ts';
import type { Codec } from '../../src/edge/wire/codec.ts';
import { createNmeaCodec } from '../../src/edge/wire/nmea/codec.ts';
import { createObsJsonCodec } from '../../src/edge/wire/obs_json/codec.ts';
import { createOdidJsonCodec } from '../../src/edge/wire/odid_json/codec.ts';
import { createSbsCodec } from '../../src/edge/wire/sbs/codec.ts';

export type BenchResult = {
  name: string;
  /** Lines decoded for each second of CPU time (user and system), median of the runs. */
  per_cpu_s: number;
};

const RUNS = 5;
const LINES = 50_000;
/** A stream's read is about so long; each case is also fed a line a write, as a serial port or datagrams bring them. */
const CHUNK_BYTES = 64 * 1024;

/** Decoding rates of the line protocols, each with lines that differ. Takes about 15 s of CPU time. */
export function benchDecodeLines(): BenchResult[] {
  const cases: [name: string, create: () => Codec<WireMessage>, line: (i: number) => string][] = [
    ['odid_json', createOdidJsonCodec, odidLine],
    ['sbs', createSbsCodec, sbsLine],
    ['nmea', createNmeaCodec, nmeaLine],
    ['obs_json', createObsJsonCodec, obsLine],
  ];
  return cases.flatMap(([name, create, line]) => {
    const lines = Array.from({ length: LINES }, (_, i) => Buffer.from(`${line(i)}\r\n`));
    return [
      { name: `decode ${name}: 64 KiB chunks`, per_cpu_s: rate(create, chunked(lines)) },
      { name: `decode ${name}: one line a write`, per_cpu_s: rate(create, lines) },
    ];
  });
}

const step = (i: number): number => (i % 1000) * 1e-5;

function odidLine(i: number): string {
  const mac = `30:ae:a4:00:00:${(i % 64).toString(16).padStart(2, '0')}`;
  const drone = `"drone_lat":${(51.5 + step(i)).toFixed(6)},"drone_long":${(-0.12 - step(i)).toFixed(6)},"drone_altitude":${i % 120}`;
  return `{"mac":"${mac}","rssi":${-40 - (i % 50)},${drone},"pilot_lat":51.499000,"pilot_long":-0.121000,"basic_id":"BENCH${i % 64}"}`;
}

function sbsLine(i: number): string {
  const icao = (0x3c0000 + (i % 300)).toString(16).toUpperCase();
  const head = `MSG,${i % 2 ? 3 : 4},1,1,${icao},1,2031/02/03,04:05:06.200,2031/02/03,04:05:06.200,,`;
  if (i % 2 === 0) return `${head},${250 + (i % 200)},${i % 360},,,${(i % 30) * 64},,,,,0`;
  return `${head}${1000 + (i % 300) * 25},,,${(51 + step(i)).toFixed(5)},${(1 - step(i)).toFixed(5)},,,0,,0,0`;
}

function nmeaLine(i: number): string {
  const second = (i % 60).toFixed(2).padStart(5, '0');
  const body = `GNRMC,1200${second},A,5130.${String(i % 10_000).padStart(5, '0')},N,00007.20000,W,0.1,45.0,010631,,,A`;
  let sum = 0;
  for (const byte of Buffer.from(body)) sum ^= byte;
  return `$${body}*${sum.toString(16).toUpperCase().padStart(2, '0')}`;
}

function obsLine(i: number): string {
  return JSON.stringify({
    obs_id: `b${i}`,
    sensor_id: 'radar-1',
    source_at: '2031-02-03T04:05:06.000Z',
    report: 'position',
    position: { lat: 51.5 + step(i), lon: -0.12 - step(i), alt_msl_m: 80 },
    sigma: { h_m: 12, v_m: 20 },
    velocity: { speed_mps: 14, course_deg: i % 360 },
    classification: [{ type: 'multirotor', confidence: 0.8 }],
  });
}

function chunked(lines: Buffer[]): Buffer[] {
  const all = Buffer.concat(lines);
  const chunks: Buffer[] = [];
  for (let at = 0; at < all.length; at += CHUNK_BYTES) chunks.push(all.subarray(at, at + CHUNK_BYTES));
  return chunks;
}

/** The median of several runs after one that warms up. */
function rate(create: () => Codec<WireMessage>, writes: readonly Buffer[]): number {
  const rates: number[] = [];
  for (let run = 0; run <= RUNS; run++) {
    const codec = create();
    let read = 0;
    const before = cpuUsage();
    for (const bytes of writes) codec.decode(bytes, '', 0, () => read++);
    const { user, system } = cpuUsage(before);
    if (read !== LINES) throw new Error(`${read} of ${LINES} lines were decoded`);
    if (run > 0) rates.push(read / ((user + system) / 1e6));
  }
  rates.sort((a, b) => a - b);
  return Math.round(rates[Math.floor(RUNS / 2)] ?? 0);
}

if (argv[1] === fileURLToPath(import.meta.url)) console.table(benchDecodeLines());

import { argv, cpuUsage } from 'node:process';
import { fileURLToPath } from 'node:url';
import * as nodeMavlink from 'node-mavlink';
import { createMavlinkCodec } from '../../src/edge/wire/mavlink/codec.ts';
import { MavlinkEncoder } from '../../src/edge/wire/mavlink/encode.ts';
import { writeOdid } from '../../src/edge/wire/mavlink/write_odid.ts';
import type { OdidBasicId, OdidLocation } from '../../src/edge/wire/odid/message.ts';
import { writeOdidPack } from '../../test/support/links/odid25.ts';

export type BenchResult = {
  name: string;
  /** Messages decoded for each second of CPU time (user and system), median of the runs. */
  per_cpu_s: number;
  /** Times the rate of node-mavlink's splitter, parser and classes on the same bytes, where that was measured. */
  times_node_mavlink?: number;
};

const RUNS = 5;
const FRAMES = 100_000;
const CHUNK = 64 * 1024;

/** Decoding rates with the contents read into objects. Takes about 20 s of CPU time. */
export function benchDecodeMavlink(): BenchResult[] {
  const locations = frames((encoder, i) => encoder.encode(writeOdid(tag(i), location(i))));
  const packs = frames((encoder, i) => encoder.encode(writeOdidPack(tag(i), [basicId, location(i)])));
  const cases: [name: string, frames: Buffer[], writes: Buffer[]][] = [
    ['location, 64 KiB chunks', locations, chunked(locations)],
    ['location, one frame a write', locations, locations],
    ['pack of two, one frame a write', packs, packs],
  ];
  return cases.map(([name, { length }, writes]) => {
    const ours = rate(length, () => decodeOurs(writes));
    const theirs = rate(length, () => decodeTheirs(writes));
    return { name: `decode mavlink: ${name}`, per_cpu_s: Math.round(ours), times_node_mavlink: round1(ours / theirs) };
  });
}

const basicId: OdidBasicId = { type: 'basic_id', idType: 1, uaType: 2, uasId: '1581F5FKD22940012345' };

const tag = (i: number) => ({ mac: `AA:BB:CC:00:00:${(i % 64).toString(16).padStart(2, '0').toUpperCase()}` });

function location(i: number): OdidLocation {
  return {
    type: 'location',
    status: 2,
    latDeg: 51.5 + (i % 1000) * 1e-5,
    lonDeg: -0.12 - (i % 1000) * 1e-5,
    directionDeg: i % 360,
    speedHMps: 12.25,
    speedVMps: 0.5,
    altBaroM: 118.5,
    altGeoM: 165,
    heightM: 60.5,
    heightRef: 0,
    hAcc: 11,
    vAcc: 4,
    baroAcc: 3,
    speedAcc: 3,
    tsAcc: 2,
    secondsAfterHour: (i % 36_000) / 10,
    implausible: false,
  };
}

function frames(encode: (encoder: MavlinkEncoder, i: number) => Buffer): Buffer[] {
  const encoder = new MavlinkEncoder({ sysid: 1, compid: 236 });
  return Array.from({ length: FRAMES }, (_, i) => encode(encoder, i));
}

function chunked(frames: Buffer[]): Buffer[] {
  const all = Buffer.concat(frames);
  const chunks: Buffer[] = [];
  for (let at = 0; at < all.length; at += CHUNK) chunks.push(all.subarray(at, at + CHUNK));
  return chunks;
}

function decodeOurs(writes: Buffer[]): number {
  const codec = createMavlinkCodec({ datagrams: false });
  let read = 0;
  for (const bytes of writes) {
    codec.decode(bytes, '', 0, (message) => {
      if (message.kind === 'odid') read += message.messages.length > 0 ? 1 : 0;
    });
  }
  return read;
}

/** The same with node-mavlink, called without its streams in between, which favours it. */
function decodeTheirs(writes: Buffer[]): number {
  const splitter = new nodeMavlink.MavLinkPacketSplitter();
  const parser = new nodeMavlink.MavLinkPacketParser();
  const classes = nodeMavlink.common.REGISTRY;
  let read = 0;
  const take = (_error?: Error | null, packet?: nodeMavlink.MavLinkPacket): void => {
    const definition = packet && classes[packet.header.msgid];
    if (definition && packet.protocol.data(packet.payload, definition)) read++;
  };
  splitter.push = (packet: object): boolean => {
    parser._transform(packet as never, 'buffer', take);
    return true;
  };
  for (const bytes of writes) splitter._transform(bytes, 'buffer', () => {});
  return read;
}

/** The median of several runs after one that warms up. */
function rate(expected: number, decode: () => number): number {
  const rates: number[] = [];
  for (let run = 0; run <= RUNS; run++) {
    const before = cpuUsage();
    const read = decode();
    const { user, system } = cpuUsage(before);
    if (read !== expected) throw new Error(`${read} of ${expected} messages were decoded`);
    if (run > 0) rates.push(read / ((user + system) / 1e6));
  }
  rates.sort((a, b) => a - b);
  return rates[Math.floor(RUNS / 2)] ?? 0;
}

const round1 = (value: number): number => Math.round(value * 10) / 10;

if (argv[1] === fileURLToPath(import.meta.url)) console.table(benchDecodeMavlink());

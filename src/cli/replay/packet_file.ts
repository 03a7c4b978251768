import { Bytes, blocksOf, MOST_PACKET_BYTES } from './packet_blocks.ts';

/** One captured packet. `atMs` is the receiver's time; null where the file has none for it. */
export type Packet = { atMs: number | null; linkType: number; bytes: Buffer };
type Problem = (sentence: string) => void;

type Format = { isLittle: boolean; perMs: number };
/** First bytes of pcap, in both byte orders, with micro- and with nanoseconds. */
const pcapFormats: Readonly<Record<string, Format>> = {
  d4c3b2a1: { isLittle: true, perMs: 1e3 },
  a1b2c3d4: { isLittle: false, perMs: 1e3 },
  '4d3cb2a1': { isLittle: true, perMs: 1e6 },
  a1b23c4d: { isLittle: false, perMs: 1e6 },
};
const PCAPNG = '0a0d0d0a';

/** True of the first bytes of a pcap or pcapng file. */
export function isPacketFile(head: Buffer): boolean {
  const magic = head.subarray(0, 4).toString('hex');
  return magic === PCAPNG || Object.hasOwn(pcapFormats, magic);
}

/** Packets of a pcap or pcapng file, in its order. A damaged file ends with a sentence; the packets before are given. */
export async function* packetsOf(chunks: AsyncIterable<Buffer>, problem: Problem): AsyncGenerator<Packet> {
  const bytes = new Bytes(chunks);
  const magic = await bytes.take(4);
  const format = pcapFormats[magic.toString('hex')];
  if (format !== undefined) yield* pcapPackets(bytes, format, problem);
  else yield* pcapngPackets(new Bytes(joined(magic, bytes)), problem);
}

async function* joined(first: Buffer, rest: Bytes): AsyncGenerator<Buffer> {
  yield first;
  for (let chunk = await rest.take(8_192); chunk.length > 0; chunk = await rest.take(8_192)) yield chunk;
}

async function* pcapPackets(bytes: Bytes, { isLittle, perMs }: Format, problem: Problem): AsyncGenerator<Packet> {
  const u32 = (from: Buffer, at: number): number => (isLittle ? from.readUInt32LE(at) : from.readUInt32BE(at));
  const header = await bytes.take(20);
  if (header.length < 20) return problem('the file header is cut');
  // The upper half says how long an FCS is, which the frames say themselves.
  const linkType = u32(header, 16) & 0xffff;
  for (;;) {
    const begin = bytes.at;
    const record = await bytes.take(16);
    if (record.length === 0) return;
    const length = record.length < 16 ? 0 : u32(record, 8);
    if (record.length < 16) return problem(`the packet at byte ${begin} is cut`);
    if (length > MOST_PACKET_BYTES) {
      return problem(`the packet at byte ${begin} has the impossible length ${length}; the rest was left out`);
    }
    const packet = await bytes.take(length);
    if (packet.length < length) return problem(`the packet at byte ${begin} is cut`);
    yield { atMs: u32(record, 0) * 1e3 + u32(record, 4) / perMs, linkType, bytes: packet };
  }
}

const INTERFACE = 1;
const OLD_PACKET = 2;
const SIMPLE_PACKET = 3;
const PACKET = 6;
const SECTION = 0x0a0d0d0a;
const MOST_INTERFACES = 1_024;

type Interface = { linkType: number; msOf(ticks: bigint): number };

async function* pcapngPackets(bytes: Bytes, problem: Problem): AsyncGenerator<Packet> {
  let interfaces: Interface[] = [];
  for await (const { type, body, isLittle } of blocksOf(bytes, problem)) {
    if (body === null) {
      if (type === PACKET || type === SIMPLE_PACKET)
        problem('a packet is longer than any receiver takes and was left out');
      continue;
    }
    const read = new Reader(body, isLittle);
    if (type === SECTION) interfaces = [];
    else if (type === INTERFACE && interfaces.length < MOST_INTERFACES) interfaces.push(interfaceOf(read));
    else if (type === PACKET || type === OLD_PACKET || type === SIMPLE_PACKET) {
      const packet = packetOf(type, read, interfaces);
      if (packet === null) problem('a packet of an unknown interface or an impossible length was left out');
      else yield packet;
    }
  }
}

/** Numbers of a block; zero beyond its end. */
class Reader {
  readonly body: Buffer;
  readonly #isLittle: boolean;

  constructor(body: Buffer, isLittle: boolean) {
    this.body = body;
    this.#isLittle = isLittle;
  }

  u16(at: number): number {
    if (at + 2 > this.body.length) return 0;
    return this.#isLittle ? this.body.readUInt16LE(at) : this.body.readUInt16BE(at);
  }

  u32(at: number): number {
    if (at + 4 > this.body.length) return 0;
    return this.#isLittle ? this.body.readUInt32LE(at) : this.body.readUInt32BE(at);
  }

  /** A time of two halves, the upper one first. */
  ticks(at: number): bigint {
    return (BigInt(this.u32(at)) << 32n) | BigInt(this.u32(at + 4));
  }
}

const OPTION_RESOLUTION = 9;
const OPTION_OFFSET = 14;
const MICROSECONDS = 6;

function interfaceOf(read: Reader): Interface {
  const { body } = read;
  let resolution = MICROSECONDS;
  let offsetS = 0;
  for (let at = 8; at + 4 <= body.length; at += 4 + Math.ceil(read.u16(at + 2) / 4) * 4) {
    if (read.u16(at) === OPTION_RESOLUTION) resolution = body[at + 4] ?? MICROSECONDS;
    else if (read.u16(at) === OPTION_OFFSET) offsetS = Number(BigInt.asIntN(64, read.ticks(at + 4)));
  }
  return { linkType: read.u16(0), msOf: (ticks) => offsetS * 1e3 + Number(microseconds(ticks, resolution)) / 1e3 };
}

/** Microseconds of a time in units of 10 to the minus `resolution`, or of 2 where its top bit is set. */
function microseconds(ticks: bigint, resolution: number): bigint {
  const exponent = BigInt(resolution & 0x7f);
  if (resolution & 0x80) return (ticks * 1_000_000n) >> exponent;
  return exponent >= 6n ? ticks / 10n ** (exponent - 6n) : ticks * 10n ** (6n - exponent);
}

function packetOf(type: number, read: Reader, interfaces: readonly Interface[]): Packet | null {
  const { body } = read;
  const isSimple = type === SIMPLE_PACKET;
  const begin = isSimple ? 4 : 20;
  const length = isSimple ? Math.min(read.u32(0), body.length - begin) : read.u32(12);
  const of = interfaces[isSimple ? 0 : type === OLD_PACKET ? read.u16(0) : read.u32(0)];
  if (of === undefined || length < 0 || begin + length > body.length) return null;
  const atMs = isSimple ? null : of.msOf(read.ticks(4));
  return { atMs, linkType: of.linkType, bytes: body.subarray(begin, begin + length) };
}

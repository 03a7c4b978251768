import { Block } from './pcapng_block.ts';
import {
  type CaptureFormat,
  type CaptureSink,
  type CaptureStatistics,
  LONGEST_CAPTURED,
  LONGEST_PACKET,
  type Step,
} from './records.ts';

const ORDER_MAGIC = 0x1a2b3c4d;
const FRAME = 12;
const blockTypes = {
  section: 0x0a0d0d0a,
  interface: 1,
  oldPacket: 2,
  simplePacket: 3,
  statistics: 5,
  packet: 6,
} as const;
const packetTypes: ReadonlySet<number> = new Set([blockTypes.oldPacket, blockTypes.simplePacket, blockTypes.packet]);
const known: ReadonlySet<number> = new Set(Object.values(blockTypes));

/** Longest block that is kept in memory, bytes: a packet with its options. */
const LONGEST_BLOCK = 2 * LONGEST_PACKET;
/**
 * Greatest lengths, bytes. `LONGEST_SKIPPED`: packet block that is skipped because it is too long to keep.
 * `LONGEST_OTHER`: block of an unknown type. A longer block shows damage.
 */
const LONGEST_SKIPPED = 2 * LONGEST_CAPTURED;
const LONGEST_OTHER = 16 * LONGEST_PACKET;
const MOST_INTERFACES = 64;

type Interface = { linkType: number; msOf(high: number, low: number): number };

/** True for the first four bytes of a pcapng file. */
export function isPcapng(head: Buffer): boolean {
  return head.length >= 4 && head.readUInt32LE(0) === blockTypes.section;
}

/**
 * Reads the blocks of a pcapng stream (IETF draft-ietf-opsawg-pcapng). Each section has its own byte order and
 * interfaces.
 */
export class Pcapng implements CaptureFormat {
  #isLittle = true;
  #interfaces: Interface[] = [];

  next(bytes: Buffer, sink: CaptureSink): Step {
    if (bytes.length < FRAME) return { need: FRAME };
    // The type of a section header is a palindrome, so it can be read before the byte order is known.
    const isSection = bytes.readUInt32LE(0) === blockTypes.section;
    const isLittle = isSection ? orderOf(bytes) : this.#isLittle;
    if (isLittle === null) return { damaged: 'is no section header' };
    const type = isLittle ? bytes.readUInt32LE(0) : bytes.readUInt32BE(0);
    const total = isLittle ? bytes.readUInt32LE(4) : bytes.readUInt32BE(4);
    if (!isLengthOf(type, total)) return { damaged: `has the impossible length ${total}` };
    if (total > LONGEST_BLOCK) {
      if (packetTypes.has(type)) sink.reject('length', 'is longer than any radio frame and was left out');
      return { used: FRAME, skip: total - FRAME };
    }
    if (bytes.length < total) return { need: total };
    const end = isLittle ? bytes.readUInt32LE(total - 4) : bytes.readUInt32BE(total - 4);
    if (end !== total) return { damaged: 'states another length at its end than at its beginning' };
    this.#isLittle = isLittle;
    this.#take(type, new Block(bytes.subarray(8, total - 4), isLittle), sink);
    return { used: total };
  }

  find(bytes: Buffer): number {
    const last = bytes.length - FRAME;
    for (let at = 0; at <= last; at++) if (this.#isBlock(bytes, at)) return at;
    return Math.max(0, last + 1);
  }

  /**
   * True if a block of a known type may begin at `at`. If the trailing length has already arrived, it must equal the
   * first length.
   */
  #isBlock(bytes: Buffer, at: number): boolean {
    const isSection = bytes.readUInt32LE(at) === blockTypes.section;
    const isLittle = isSection ? orderOf(bytes.subarray(at)) : this.#isLittle;
    if (isLittle === null) return false;
    const type = isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
    if (!known.has(type)) return false;
    const total = isLittle ? bytes.readUInt32LE(at + 4) : bytes.readUInt32BE(at + 4);
    if (!isLengthOf(type, total) || total > LONGEST_BLOCK) return false;
    const end = at + total - 4;
    if (end + 4 > bytes.length) return true;
    return (isLittle ? bytes.readUInt32LE(end) : bytes.readUInt32BE(end)) === total;
  }

  #take(type: number, block: Block, sink: CaptureSink): void {
    if (type === blockTypes.section) this.#interfaces = [];
    else if (type === blockTypes.interface) {
      if (this.#interfaces.length < MOST_INTERFACES) this.#interfaces.push(interfaceOf(block));
    } else if (type === blockTypes.statistics) sink.statistics(statisticsOf(block));
    else if (packetTypes.has(type)) this.#takePacket(type, block, sink);
  }

  #takePacket(type: number, block: Block, sink: CaptureSink): void {
    const { body } = block;
    const isSimple = type === blockTypes.simplePacket;
    const begin = isSimple ? 4 : 20;
    const length = isSimple ? Math.min(block.u32(0), body.length - begin) : block.u32(12);
    const of = this.#interfaces[isSimple ? 0 : type === blockTypes.oldPacket ? block.u16(0) : block.u32(0)];
    if (of === undefined || length < 0 || begin + length > body.length) {
      sink.reject('malformed', 'is of an unknown interface or an impossible length and was left out');
      return;
    }
    const atMs = isSimple ? null : of.msOf(block.u32(4), block.u32(8));
    sink.packet({ linkType: of.linkType, atMs, bytes: body.subarray(begin, begin + length) });
  }
}

/** Returns whether a section is little-endian; null if the bytes are no section header. */
function orderOf(bytes: Buffer): boolean | null {
  if (bytes.readUInt32LE(8) === ORDER_MAGIC) return true;
  return bytes.readUInt32BE(8) === ORDER_MAGIC ? false : null;
}

function isLengthOf(type: number, total: number): boolean {
  if (total % 4 !== 0 || total < FRAME) return false;
  if (packetTypes.has(type)) return total <= LONGEST_SKIPPED + FRAME;
  return total <= (known.has(type) ? LONGEST_BLOCK : LONGEST_OTHER);
}

const options = { comment: 1, resolution: 9, received: 4, dropped: 5, offset: 14 } as const;
const MICROSECONDS = 6;

function interfaceOf(block: Block): Interface {
  let resolution: number = MICROSECONDS;
  let offsetMs = 0;
  for (const { code, at, length } of block.options(8)) {
    if (code === options.resolution && length > 0) resolution = block.body[at] ?? MICROSECONDS;
    else if (code === options.offset && length === 8) offsetMs = Number(BigInt.asIntN(64, block.u64(at))) * 1e3;
  }
  return { linkType: block.u16(0), msOf: (high, low) => offsetMs + msOfTicks(high, low, resolution) };
}

/**
 * Converts a time in units of 10^−`resolution` s to ms. If the top bit of `resolution` is set, the base is 2 instead of
 * 10.
 */
function msOfTicks(high: number, low: number, resolution: number): number {
  if (resolution === MICROSECONDS) return (high * 2 ** 32 + low) / 1e3;
  const ticks = (BigInt(high) << 32n) | BigInt(low);
  const exponent = BigInt(resolution & 0x7f);
  if (resolution & 0x80) return Number((ticks * 1_000_000n) >> exponent) / 1e3;
  const microseconds = exponent >= 6n ? ticks / 10n ** (exponent - 6n) : ticks * 10n ** (6n - exponent);
  return Number(microseconds) / 1e3;
}

function statisticsOf(block: Block): CaptureStatistics {
  const read: CaptureStatistics = { interface: block.u32(0), received: null, dropped: null, comment: null };
  for (const { code, at, length } of block.options(12)) {
    if (code === options.comment) read.comment = block.body.toString('utf8', at, at + length);
    else if (code === options.received && length === 8) read.received = countOf(block.u64(at));
    else if (code === options.dropped && length === 8) read.dropped = countOf(block.u64(at));
  }
  return read;
}

/** Returns a count; null for one that no receiver reaches. All ones are written for a count that is unknown. */
function countOf(count: bigint): number | null {
  return count > Number.MAX_SAFE_INTEGER ? null : Number(count);
}

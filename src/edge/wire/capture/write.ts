import type { CaptureStatistics } from './records.ts';

const SECTION = 0x0a0d0d0a;
const INTERFACE = 1;
const STATISTICS = 5;
const PACKET = 6;
const ORDER_MAGIC = 0x1a2b3c4d;
const FRAME = 12;
const LONGEST = 262_144;
/** Greatest number of ticks that fits both into 64 bits and into a double. */
const MOST_TICKS = 2 ** 64 - 2 ** 11;

function block(type: number, body: Buffer): Buffer {
  const total = FRAME + Math.ceil(body.length / 4) * 4;
  const bytes = Buffer.alloc(total);
  bytes.writeUInt32LE(type, 0);
  bytes.writeUInt32LE(total, 4);
  body.copy(bytes, 8);
  bytes.writeUInt32LE(total, total - 4);
  return bytes;
}

function sectionHeader(): Buffer {
  const body = Buffer.alloc(16, 0xff);
  body.writeUInt32LE(ORDER_MAGIC, 0);
  body.writeUInt16LE(1, 4);
  body.writeUInt16LE(0, 6);
  return block(SECTION, body);
}

function interfaceDescription(linkType: number): Buffer {
  const body = Buffer.alloc(8);
  body.writeUInt16LE(linkType, 0);
  body.writeUInt32LE(LONGEST, 4);
  return block(INTERFACE, body);
}

/** Writes the header of a section with one interface of a link type. Its times are in microseconds. */
export function captureHeader(linkType: number): Buffer {
  return Buffer.concat([sectionHeader(), interfaceDescription(linkType)]);
}

/**
 * Writes a packet of the first interface of a section. A time that the field cannot contain becomes the nearest one
 * that it can, because a receiver may state any time.
 */
export function capturedPacket(atMs: number, bytes: Uint8Array): Buffer {
  const body = Buffer.alloc(20 + bytes.length);
  const ticks = BigInt(Math.min(Math.max(0, Math.round(atMs * 1e3)), MOST_TICKS));
  body.writeUInt32LE(Number(ticks >> 32n), 4);
  body.writeUInt32LE(Number(ticks & 0xffff_ffffn), 8);
  body.writeUInt32LE(bytes.length, 12);
  body.writeUInt32LE(bytes.length, 16);
  body.set(bytes, 20);
  return block(PACKET, body);
}

const options = { comment: 1, received: 4, dropped: 5 } as const;

function option(code: number, value: Buffer): Buffer {
  const bytes = Buffer.alloc(4 + Math.ceil(value.length / 4) * 4);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt16LE(value.length, 2);
  value.copy(bytes, 4);
  return bytes;
}

function countOption(code: number, count: number | null): Buffer {
  if (count === null || !Number.isSafeInteger(count) || count < 0) return Buffer.alloc(0);
  const value = Buffer.alloc(8);
  value.writeBigUInt64LE(BigInt(count));
  return option(code, value);
}

/**
 * Writes statistics of the first interface of a section, without a count that is no exact whole number. A comment is cut
 * to 65,535 bytes, the limit of an option.
 */
export function captureStatistics({ received, dropped, comment }: CaptureStatistics): Buffer {
  const head = Buffer.alloc(12);
  const text = comment === null ? Buffer.alloc(0) : option(options.comment, Buffer.from(comment).subarray(0, 0xffff));
  const counts = [countOption(options.received, received), countOption(options.dropped, dropped)];
  return block(STATISTICS, Buffer.concat([head, text, ...counts, Buffer.alloc(4)]));
}

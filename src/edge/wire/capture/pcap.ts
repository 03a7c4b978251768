import { type CaptureFormat, type CaptureSink, LONGEST_CAPTURED, LONGEST_PACKET, type Step } from './records.ts';

export const PCAP_HEADER = 24;
const RECORD_HEADER = 16;
/** Greatest accepted difference, after damage, between the time in a record header and the last good time, s. */
const NEAR_S = 86_400;

type Order = { isLittle: boolean; perMs: number };

/** First four bytes of pcap files as hex digits, for both byte orders, with microseconds and with nanoseconds. */
const orders: Readonly<Record<string, Order>> = {
  d4c3b2a1: { isLittle: true, perMs: 1e3 },
  a1b2c3d4: { isLittle: false, perMs: 1e3 },
  '4d3cb2a1': { isLittle: true, perMs: 1e6 },
  a1b23c4d: { isLittle: false, perMs: 1e6 },
};

/** Returns the format for a pcap file header; null if the first four bytes belong to another format. */
export function pcapFormat(header: Buffer): CaptureFormat | null {
  const order = orders[header.toString('hex', 0, 4)];
  return order === undefined ? null : new Pcap(header, order);
}

/** True for the first four bytes of a pcap file. */
export function isPcap(head: Buffer): boolean {
  return Object.hasOwn(orders, head.toString('hex', 0, 4));
}

class Pcap implements CaptureFormat {
  readonly #isLittle: boolean;
  readonly #perMs: number;
  readonly #linkType: number;
  #lastS: number | null = null;

  constructor(header: Buffer, { isLittle, perMs }: Order) {
    this.#isLittle = isLittle;
    this.#perMs = perMs;
    // The upper 16 bits state the length of the checksum of frames. They are not needed: radiotap states it too, and
    // elsewhere a checksum does no harm.
    this.#linkType = this.#u32(header, 20) & 0xffff;
  }

  next(bytes: Buffer, sink: CaptureSink): Step {
    if (bytes.length < RECORD_HEADER) return { need: RECORD_HEADER };
    const seconds = this.#u32(bytes, 0);
    const fraction = this.#u32(bytes, 4);
    const length = this.#u32(bytes, 8);
    if (length > LONGEST_CAPTURED) return { damaged: `has the impossible length ${length}` };
    if (fraction >= this.#perMs * 1e3) return { damaged: `has the impossible time ${seconds} s and ${fraction}` };
    if (length > LONGEST_PACKET) {
      sink.reject('length', 'is longer than any radio frame and was left out');
      return { used: RECORD_HEADER, skip: length };
    }
    const end = RECORD_HEADER + length;
    if (bytes.length < end) return { need: end };
    this.#lastS = seconds;
    const atMs = seconds * 1e3 + fraction / this.#perMs;
    sink.packet({ linkType: this.#linkType, atMs, bytes: bytes.subarray(RECORD_HEADER, end) });
    return { used: end };
  }

  find(bytes: Buffer): number {
    const last = bytes.length - RECORD_HEADER;
    for (let at = 0; at <= last; at++) if (this.#isRecord(bytes, at)) return at;
    return Math.max(0, last + 1);
  }

  #isRecord(bytes: Buffer, at: number): boolean {
    const length = this.#u32(bytes, at + 8);
    if (length > LONGEST_PACKET || this.#u32(bytes, at + 4) >= this.#perMs * 1e3) return false;
    const original = this.#u32(bytes, at + 12);
    if (original < length || original > LONGEST_CAPTURED) return false;
    return this.#lastS === null || Math.abs(this.#u32(bytes, at) - this.#lastS) <= NEAR_S;
  }

  #u32(bytes: Buffer, at: number): number {
    return this.#isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
  }
}

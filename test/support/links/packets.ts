import { crc32 } from 'node:zlib';
import { crc24 } from '../../../src/edge/wire/radio/link_layer.ts';

/*
 * Packet captures as receivers write them: frames of Wi-Fi and Bluetooth around Remote ID, in pcap and pcapng files. Built
 * from the formats alone, apart from the code that reads them; the CRC of Bluetooth has a published check value.
 */

export type Captured = { atMs: number; bytes: Buffer };
type Order = { isLittle?: boolean };

const macBytes = (mac: string): Buffer => Buffer.from(mac.replaceAll(':', ''), 'hex');
const reversedMac = (mac: string): Buffer => Buffer.from(macBytes(mac)).reverse();

function u32(value: number, { isLittle = true }: Order): Buffer {
  const bytes = Buffer.alloc(4);
  if (isLittle) bytes.writeUInt32LE(value);
  else bytes.writeUInt32BE(value);
  return bytes;
}

function u16(value: number, { isLittle = true }: Order): Buffer {
  const bytes = Buffer.alloc(2);
  if (isLittle) bytes.writeUInt16LE(value);
  else bytes.writeUInt16BE(value);
  return bytes;
}

/** A pcap file of one link type, with micro- or nanoseconds. */
export function pcapFile(
  linkType: number,
  packets: readonly Captured[],
  order: Order & { isNano?: boolean } = {},
): Buffer {
  const perMs = order.isNano ? 1e6 : 1e3;
  const head = [u32(order.isNano ? 0xa1b23c4d : 0xa1b2c3d4, order), u16(2, order), u16(4, order)];
  const rest = [0, 0, 65_535, linkType].map((value) => u32(value, order));
  const records = packets.flatMap(({ atMs, bytes }) => {
    const seconds = Math.floor(atMs / 1e3);
    const fraction = Math.round((atMs - seconds * 1e3) * perMs);
    return [...[seconds, fraction, bytes.length, bytes.length].map((value) => u32(value, order)), bytes];
  });
  return Buffer.concat([...head, ...rest, ...records]);
}

/** A block of a pcapng file with its two lengths. */
export function block(type: number, body: Buffer, order: Order = {}): Buffer {
  const padded = Buffer.concat([body, Buffer.alloc((4 - (body.length % 4)) % 4)]);
  const total = u32(padded.length + 12, order);
  return Buffer.concat([u32(type, order), total, padded, total]);
}

const SECTION = 0x0a0d0d0a;

/** A section of a pcapng file: one interface for each link type, and packets that name theirs. Times are in 10^-`digits` s. */
export function pcapngFile(
  interfaces: readonly number[],
  packets: readonly (Captured & { interface?: number })[],
  { digits = 6, ...order }: Order & { digits?: number } = {},
): Buffer {
  const section = Buffer.concat([u32(0x1a2b3c4d, order), u16(1, order), u16(0, order), Buffer.alloc(8, 0xff)]);
  const resolution = Buffer.concat([u16(9, order), u16(1, order), Buffer.from([digits, 0, 0, 0]), Buffer.alloc(4)]);
  const described = interfaces.map((linkType) =>
    block(1, Buffer.concat([u16(linkType, order), u16(0, order), u32(262_144, order), resolution]), order),
  );
  const blocks = packets.map(({ atMs, bytes, interface: of = 0 }) => {
    const ticks = (BigInt(Math.round(atMs * 1e3)) * 10n ** BigInt(digits)) / 1_000_000n;
    const halves = [Number(ticks >> 32n), Number(ticks & 0xffff_ffffn)];
    const head = [of, ...halves, bytes.length, bytes.length].map((value) => u32(value, order));
    return block(6, Buffer.concat([...head, bytes]), order);
  });
  return Buffer.concat([block(SECTION, section, order), ...described, ...blocks]);
}

/** A statistics block as the radio's program writes it each second. */
export function statistics(
  counts: { freq_mhz?: number; coded?: boolean; heard: number; bad_fcs?: number },
  { dropped = 0, received = 0, ...order }: Order & { dropped?: number | bigint; received?: number | bigint } = {},
): Buffer {
  const option = (code: number, value: Buffer): Buffer =>
    Buffer.concat([u16(code, order), u16(value.length, order), value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
  const u64 = (value: number | bigint): Buffer => {
    const bytes = Buffer.alloc(8);
    if (order.isLittle === false) bytes.writeBigUInt64BE(BigInt(value));
    else bytes.writeBigUInt64LE(BigInt(value));
    return bytes;
  };
  const options = [
    option(1, Buffer.from(JSON.stringify({ freq_mhz: 2437, bad_fcs: 0, ...counts }))),
    option(4, u64(received)),
    option(5, u64(dropped)),
    Buffer.alloc(4),
  ];
  return block(5, Buffer.concat([u32(0, order), Buffer.alloc(8), ...options]), order);
}

/** A beacon with other elements around the Remote ID element. */
export function beacon(mac: string, counter: number, pack: Buffer): Buffer {
  return vendorBeacon(mac, Buffer.concat([Buffer.from('fa0bbc0d', 'hex'), Buffer.from([counter]), pack]));
}

/** A beacon with other elements around a vendor element, whose content begins with its OUI. */
export function vendorBeacon(mac: string, element: Buffer): Buffer {
  const header = Buffer.concat([
    Buffer.from('80000000ffffffffffff', 'hex'),
    macBytes(mac),
    macBytes(mac),
    Buffer.alloc(2),
  ]);
  const others = Buffer.concat([Buffer.alloc(12, 1), Buffer.from('00045249443a', 'hex')]);
  return Buffer.concat([header, others, Buffer.from([221, element.length]), element, Buffer.from('dd0300a0c6', 'hex')]);
}

/** A NAN action frame with the Remote ID service, behind a master indication. */
export function nanFrame(mac: string, counter: number, pack: Buffer): Buffer {
  const header = Buffer.concat([Buffer.from('d0000000516f9a010000', 'hex'), macBytes(mac), Buffer.alloc(8)]);
  const info = Buffer.concat([Buffer.from([pack.length + 1, counter]), pack]);
  const service = Buffer.concat([Buffer.from('8869199d9209', 'hex'), Buffer.from([1, 0, 0x10]), info]);
  const attributes = [Buffer.from('000200feba', 'hex'), Buffer.from([3]), u16(service.length, {}), service];
  return Buffer.concat([header, Buffer.from('0409506f9a13', 'hex'), ...attributes]);
}

/** A frame with a radiotap header: flags, channel, level and an FCS. */
export function radiotap(frame: Buffer, { isBroken = false } = {}): Buffer {
  const header = Buffer.from('00000f002a000000100085090000c3', 'hex');
  return Buffer.concat([header, frame, u32((crc32(frame) ^ (isBroken ? 1 : 0)) >>> 0, {})]);
}

/** Advertising data: flags, then Remote ID as service data. */
export function advertisingData(counter: number, content: Buffer): Buffer {
  const structure = Buffer.concat([Buffer.from('16faff0d', 'hex'), Buffer.from([counter]), content]);
  return Buffer.concat([Buffer.from('020106', 'hex'), Buffer.from([structure.length]), structure]);
}

/** An H4 event of legacy advertising. */
export function hciReport(mac: string, data: Buffer, rssi = -60): Buffer {
  const report = Buffer.concat([Buffer.from([3, 1]), reversedMac(mac), Buffer.from([data.length]), data]);
  const event = Buffer.concat([Buffer.from([2, 1]), report, Buffer.from([rssi & 0xff])]);
  return Buffer.concat([Buffer.from([4, 0x3e, event.length]), event]);
}

/** An H4 event of extended advertising; `status` 0 whole, 1 more follows, 2 cut. */
export function hciExtended(mac: string, data: Buffer, { status = 0, set = 1 } = {}): Buffer {
  const head = Buffer.from([
    status << 5,
    0,
    1,
    ...reversedMac(mac),
    1,
    3,
    set,
    127,
    0xc4,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    data.length,
  ]);
  const event = Buffer.concat([Buffer.from([0x0d, 1]), head, data]);
  return Buffer.concat([Buffer.from([4, 0x3e, event.length]), event]);
}

/** A packet of the link layer: legacy advertising, or an extended one where `isExtended`. */
export function linkLayer(mac: string, data: Buffer, { isExtended = false, isBroken = false } = {}): Buffer {
  const payload = isExtended
    ? Buffer.concat([Buffer.from([9, 0x09]), reversedMac(mac), Buffer.from([0x34, 0x12]), data])
    : Buffer.concat([reversedMac(mac), data]);
  const pdu = Buffer.concat([Buffer.from([isExtended ? 7 : 2, payload.length]), payload]);
  const crc = Buffer.alloc(3);
  crc.writeUIntLE(crc24(pdu) ^ (isBroken ? 1 : 0), 0, 3);
  return Buffer.concat([Buffer.from('d6be898e', 'hex'), pdu, crc]);
}

/** The same as the nRF Sniffer writes it (link type 272); a coded packet has a byte behind its access address. */
export function nordic(packet: Buffer, { isGood = true, isCoded = false } = {}): Buffer {
  const flags = (isGood ? 1 : 0) | (isCoded ? 2 << 4 : 0);
  const head = Buffer.from([0, 6, packet.length + 10, 1, 0, 0, 6, 10, flags, 37, 60, 0, 0, 0, 0, 0, 0]);
  return Buffer.concat([head, isCoded ? coded(packet) : packet]);
}

/** A packet with the coding indicator of its layer. */
export function coded(packet: Buffer): Buffer {
  return Buffer.concat([packet.subarray(0, 4), Buffer.from([0]), packet.subarray(4)]);
}

/** The same with the receiver's header (link type 256). `verdict` is that of the receiver on the CRC, null where it made none. */
export function withRadio(packet: Buffer, verdict: boolean | null, isCoded = false): Buffer {
  const flags = 0x0003 | (verdict === null ? 0 : 0x0400) | (verdict ? 0x0800 : 0) | (isCoded ? 2 << 14 : 0);
  return Buffer.concat([Buffer.from([37, 0xc4, 0x80, 0]), Buffer.from('d6be898e', 'hex'), u16(flags, {}), packet]);
}

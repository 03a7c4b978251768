import { isRemoteId, readAdvertising } from './advertising.ts';
import { type RadioSink, reversedMacAt } from './broadcast.ts';

const ADVERTISING_ADDRESS = 0x8e89bed6;
/** PDU types with advertising data after the address: ADV_IND, ADV_NONCONN_IND, ADV_SCAN_IND. */
const legacyTypes: ReadonlySet<number> = new Set([0, 2, 6]);
const EXTENDED = 7;
const CRC_BYTES = 3;

/**
 * Optional fields of an extended header, which precede the advertising data: the bit of each field's flag, and the
 * field's length, bytes.
 */
const AUX_POINTER = 0x10;
const extendedFields: readonly (readonly [number, number])[] = [
  ...([
    [0x01, 6],
    [0x02, 6],
    [0x04, 1],
    [0x08, 2],
    [AUX_POINTER, 3],
    [0x20, 18],
    [0x40, 1],
  ] as const),
];

/**
 * Computes CRC-24/BLE (Bluetooth Core 5.4, volume 6, part B, section 3.1.1) with the initial value of advertising
 * channels. The CRC is sent least byte first.
 */
export function crc24(bytes: Uint8Array): number {
  let register = 0xaaaaaa;
  for (const byte of bytes) {
    register ^= byte;
    for (let bit = 0; bit < 8; bit++) register = register & 1 ? (register >>> 1) ^ 0xda6000 : register >>> 1;
  }
  return register;
}

/**
 * Reads one link layer packet (link type 251) from its access address on. `isGood` is the result of the receiver's own
 * CRC check; null if there was none, in which case the CRC is computed here.
 */
export function readLinkLayer(
  packet: Buffer,
  radio: { rssiDbm: number | null; isGood: boolean | null },
  sink: RadioSink,
): void {
  if (packet.length < 6 + CRC_BYTES || packet.readUInt32LE(0) !== ADVERTISING_ADDRESS) return;
  const length = packet[5] ?? 0;
  const pdu = packet.subarray(4, 6 + length);
  if (!isRemoteId(pdu)) return;
  if (packet.length < 6 + length + CRC_BYTES) {
    sink.reject('length');
    return;
  }
  const isGood = radio.isGood ?? crc24(pdu) === packet.readUIntLE(6 + length, CRC_BYTES);
  if (!isGood) {
    sink.reject('crc');
    return;
  }
  readAdvertisingPdu(pdu, radio.rssiDbm, sink);
}

/** Reads a PDU of an advertising channel whose CRC is good: header, length, and as many bytes as the length states. */
export function readAdvertisingPdu(pdu: Buffer, rssiDbm: number | null, sink: RadioSink): void {
  const [head = 0] = pdu;
  const payload = pdu.subarray(2);
  if (legacyTypes.has(head & 0x0f)) {
    if (payload.length < 6) {
      sink.reject('length');
      return;
    }
    readAdvertising({ transport: 'bt4', mac: reversedMacAt(payload, 0), rssiDbm, data: payload.subarray(6) }, sink);
  } else if ((head & 0x0f) === EXTENDED) readExtended(payload, rssiDbm, sink);
}

/**
 * Reads an extended PDU. Chained packets are not joined but refused as `length`: the rest of the data is on other
 * channels, which a single receiver misses.
 */
function readExtended(payload: Buffer, rssiDbm: number | null, sink: RadioSink): void {
  const headerLength = (payload[0] ?? 0) & 0x3f;
  const flags = headerLength > 0 ? (payload[1] ?? 0) : 0;
  const needed = 1 + extendedFields.reduce((sum, [flag, bytes]) => sum + (flags & flag ? bytes : 0), 0);
  const isCut = headerLength < needed || 1 + headerLength > payload.length || (flags & AUX_POINTER) !== 0;
  if (isCut) {
    sink.reject('length');
    return;
  }
  // A packet without an address cannot be joined with other packets of its transmitter, so it is ignored.
  if ((flags & 0x01) === 0) return;
  const data = payload.subarray(1 + headerLength);
  readAdvertising({ transport: 'bt5', mac: reversedMacAt(payload, 2), rssiDbm, data }, sink);
}

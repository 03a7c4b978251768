import type { RejectReason } from '../../../model/link.ts';
import { levelOf } from './broadcast.ts';

/** Message of a Sniffle dongle: its type and body. */
export type SniffleMessage = { type: number; body: Buffer };

const form =
  /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$|^(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/;

/** Reads a line of base64: one byte with the number of 4-character groups in the line, then the type and the body. */
export function readSniffleLine(line: Buffer): SniffleMessage | RejectReason {
  const text = line.toString('latin1');
  if (!form.test(text)) return 'malformed';
  const bytes = Buffer.from(text, 'base64');
  const [count, type] = bytes;
  if (count !== text.length / 4 || type === undefined) return 'malformed';
  return { type, body: bytes.subarray(2) };
}

/** Writes a command with its line end. */
export function sniffleCommand(...command: readonly number[]): Buffer {
  const count = Math.ceil((command.length + 1) / 3);
  return Buffer.from(`${Buffer.from([count, ...command]).toString('base64')}\r\n`, 'latin1');
}

export type SnifflePacket = { pdu: Buffer; isGood: boolean; rssiDbm: number | null; channel: number; phy: number };

const PACKET_HEADER = 10;
const CRC_ERROR = 0x4000;

/** Reads a received packet: time, length with flags, event, level, channel with the layer, PDU. */
export function readSnifflePacket(body: Buffer): SnifflePacket | RejectReason {
  if (body.length < PACKET_HEADER + 2) return 'length';
  const length = body.readUInt16LE(4);
  const pdu = body.subarray(PACKET_HEADER);
  if ((length & 0x3fff) !== pdu.length) return 'length';
  const place = body.readUInt8(9);
  return {
    pdu,
    isGood: (length & CRC_ERROR) === 0,
    rssiDbm: levelOf(body.readInt8(8)),
    channel: place & 0x3f,
    phy: place >> 6,
  };
}

import { isHexDigit } from '../odid/hex_lines.ts';
import type { OdidTag } from '../odid/message.ts';

/** Bytes of `id_or_mac`. */
export const TAG_LENGTH = 20;
const MAC_DIGITS = 12;

const isFiller = (byte: number): boolean => byte === 0 || byte === 0x20;

const isPrintable = (byte: number): boolean => byte >= 0x20 && byte <= 0x7e;

function every(bytes: Uint8Array, from: number, to: number, test: (byte: number) => boolean): boolean {
  for (let i = from; i < to; i++) if (!test(bytes[i] as number)) return false;
  return true;
}

/**
 * Who an Open Drone ID message is about. A receiver fills in the transmitter's MAC as 12 hex digits, or the UAS id; NULs
 * (and, from Mission Planner, spaces) say that the message is the sender's own.
 */
export function readTag(bytes: Buffer, at: number): OdidTag {
  let from = at;
  let to = at + TAG_LENGTH;
  while (to > from && isFiller(bytes[to - 1] as number)) to--;
  while (from < to && isFiller(bytes[from] as number)) from++;
  if (from === to) return null;
  if (to - from === MAC_DIGITS && every(bytes, from, to, isHexDigit)) return { mac: readMac(bytes, from) };
  if (every(bytes, from, to, isPrintable)) return { id: bytes.toString('latin1', from, to) };
  return { idHex: bytes.toString('hex', from, to) };
}

/** Twelve hex digits as `AA:BB:CC:DD:EE:FF`. */
function readMac(bytes: Buffer, at: number): string {
  const digits = bytes.toString('latin1', at, at + MAC_DIGITS).toUpperCase();
  const pair = (i: number): string => digits.slice(i, i + 2);
  return `${pair(0)}:${pair(2)}:${pair(4)}:${pair(6)}:${pair(8)}:${pair(10)}`;
}

/** Writes a tag into 20 zero bytes. Ids that are longer are cut. */
export function writeTag(bytes: Buffer, at: number, tag: OdidTag): void {
  if (tag === null) return;
  if ('mac' in tag) bytes.write(tag.mac.replaceAll(':', ''), at, TAG_LENGTH, 'latin1');
  else if ('id' in tag) bytes.write(tag.id, at, TAG_LENGTH, 'latin1');
  else bytes.write(tag.idHex.slice(0, 2 * TAG_LENGTH), at, 'hex');
}

import { isHexDigit } from '../odid/hex_lines.ts';
import type { OdidTag } from '../odid/message.ts';

/** Length of `id_or_mac`, bytes. */
const TAG_LENGTH = 20;
const MAC_DIGITS = 12;
const COLON = 0x3a;

const DIGIT = 1;
const PRINTABLE = 2;

/** Class bits of each byte value: hex digit, printable character. */
const classes = Uint8Array.from({ length: 256 }, (_, byte) => {
  const printable = byte >= 0x20 && byte <= 0x7e ? PRINTABLE : 0;
  return isHexDigit(byte) ? DIGIT | printable : printable;
});

const isFiller = (byte: number): boolean => byte === 0 || byte === 0x20;

/**
 * Reads `id_or_mac`, the tag that names the aircraft of an Open Drone ID message. A receiver writes the transmitter's
 * MAC as 12 hex digits, or the UAS id. An id with bytes that are not printable becomes `idHex`. NULs (spaces from
 * Mission Planner) mean that the message is about its own sender; the tag is then null.
 */
export function readTag(bytes: Buffer, at: number): OdidTag {
  let from = at;
  let to = at + TAG_LENGTH;
  while (to > from && isFiller(bytes[to - 1] as number)) to--;
  while (from < to && isFiller(bytes[from] as number)) from++;
  if (from === to) return null;
  let common = DIGIT | PRINTABLE;
  for (let i = from; i < to; i++) common &= classes[bytes[i] as number] as number;
  if (to - from === MAC_DIGITS && (common & DIGIT) !== 0) return { mac: readMac(bytes, from) };
  if ((common & PRINTABLE) !== 0) return { id: bytes.toString('latin1', from, to) };
  return { idHex: bytes.toString('hex', from, to) };
}

/**
 * Formats twelve hex digits as `AA:BB:CC:DD:EE:FF`. This runs for each frame; one call is four times as fast as
 * joining slices.
 */
function readMac(bytes: Uint8Array, at: number): string {
  const digit = (i: number): number => {
    const byte = bytes[at + i] as number;
    return byte >= 0x61 ? byte - 0x20 : byte;
  };
  return String.fromCharCode(
    digit(0),
    digit(1),
    COLON,
    digit(2),
    digit(3),
    COLON,
    digit(4),
    digit(5),
    COLON,
    digit(6),
    digit(7),
    COLON,
    digit(8),
    digit(9),
    COLON,
    digit(10),
    digit(11),
  );
}

/** Returns the bytes of `id_or_mac`; all zero for no tag. Longer ids are cut. */
export function idOrMac(tag: OdidTag): number[] {
  const bytes = Buffer.alloc(TAG_LENGTH);
  if (tag === null) return [...bytes];
  if ('mac' in tag) bytes.write(tag.mac.replaceAll(':', ''), 'latin1');
  else if ('id' in tag) bytes.write(tag.id, 'latin1');
  else bytes.write(tag.idHex, 'hex');
  return [...bytes];
}

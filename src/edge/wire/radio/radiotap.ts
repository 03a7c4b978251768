import { crc32 } from 'node:zlib';
import type { RejectReason } from '../../../model/link.ts';
import { levelOf } from './broadcast.ts';

/**
 * 802.11 frame without its checksum (FCS), and the receiver's measurements of the frame. `isGood` verifies the
 * checksum, if there is one. It is called only for frames about aircraft, to save time.
 */
export type ReceivedFrame = {
  frame: Uint8Array;
  isGood(): boolean;
  rssiDbm: number | null;
  freqMhz: number | null;
};

/**
 * Alignment and size of the fields of the first namespace, by bit number (radiotap.org; Linux
 * net/wireless/radiotap.c).
 */
const fieldSizes: readonly (readonly [number, number] | null)[] = [
  ...([
    [8, 8],
    [1, 1],
    [1, 1],
    [2, 4],
    [2, 2],
    [1, 1],
    [1, 1],
    [2, 2],
    [2, 2],
    [2, 2],
    [1, 1],
    [1, 1],
  ] as const),
  ...([[1, 1], [1, 1], [2, 2], [2, 2], [1, 1], [1, 1], null, [1, 3], [4, 8], [2, 12], [8, 12]] as const),
];

const MOST_PRESENT_WORDS = 8;
const BIT_NAMESPACE = 29;
const BIT_VENDOR = 30;
const FCS_AT_END = 0x10;
const FCS_BAD = 0x40;
const BAD_PLCP = 0x02;

type Fields = { flags: number; rxFlags: number; rssiDbm: number | null; freqMhz: number | null };

/** Removes the radiotap header (link type 127) from a frame, and reads the measurements in it. */
export function readRadiotap(bytes: Buffer): ReceivedFrame | RejectReason {
  if (bytes.length < 8) return 'length';
  if (bytes[0] !== 0) return 'malformed';
  const length = bytes.readUInt16LE(2);
  if (length < 8 || length > bytes.length) return 'length';
  const words = presentWords(bytes, length);
  if (typeof words === 'string') return words;
  const { flags, rxFlags, rssiDbm, freqMhz } = readFields(bytes, length, words);
  const whole = bytes.subarray(length);
  const isBad = (flags & FCS_BAD) !== 0 || (rxFlags & BAD_PLCP) !== 0;
  if ((flags & FCS_AT_END) === 0) return { frame: whole, isGood: () => !isBad, rssiDbm, freqMhz };
  if (whole.length < 4) return 'length';
  const frame = whole.subarray(0, -4);
  const isGood = () => !isBad && crc32(frame) === whole.readUInt32LE(whole.length - 4);
  return { frame, isGood, rssiDbm, freqMhz };
}

function presentWords(bytes: Buffer, length: number): number[] | RejectReason {
  const words: number[] = [];
  for (let at = 4; ; at += 4) {
    if (words.length === MOST_PRESENT_WORDS) return 'malformed';
    if (at + 4 > length) return 'length';
    const word = bytes.readUInt32LE(at);
    words.push(word);
    if (word >>> 31 === 0) return words;
  }
}

/** Reads the fields in the order of their bits. The first field of a kind counts; an unknown bit ends the reading. */
function readFields(bytes: Buffer, length: number, words: readonly number[]): Fields {
  const fields: Fields = { flags: 0, rxFlags: 0, rssiDbm: null, freqMhz: null };
  let seen = 0;
  let at = 4 + words.length * 4;
  let isVendor = false;
  for (const word of words) {
    for (let bit = 0; bit < BIT_NAMESPACE && !isVendor; bit++) {
      if (((word >>> bit) & 1) === 0) continue;
      const size = fieldSizes[bit];
      if (!size) return fields;
      at = Math.ceil(at / size[0]) * size[0];
      if (at + size[1] > length) return fields;
      if (((seen >>> bit) & 1) === 0) take(fields, bit, bytes, at);
      seen |= 1 << bit;
      at += size[1];
    }
    if ((word >>> BIT_VENDOR) & 1) {
      at = Math.ceil(at / 2) * 2;
      if (at + 6 > length) return fields;
      at += 6 + bytes.readUInt16LE(at + 4);
      isVendor = true;
    } else if ((word >>> BIT_NAMESPACE) & 1) isVendor = false;
    else if (word >>> 31) return fields;
  }
  return fields;
}

function take(fields: Fields, bit: number, bytes: Buffer, at: number): void {
  if (bit === 1) fields.flags = bytes.readUInt8(at);
  else if (bit === 3) fields.freqMhz = bytes.readUInt16LE(at) || null;
  else if (bit === 5) fields.rssiDbm = levelOf(bytes.readInt8(at));
  else if (bit === 14) fields.rxFlags = bytes.readUInt16LE(at);
}

/**
 * Format of a recording on the disk. A recording consists of segments. Each segment is a file that begins with
 * `segmentMagic`, followed by records.
 * A record has these fields, all numbers little-endian:
 * - length (u32) and CRC-32 of the rest (u32)
 * - kind (u8)
 * - world time and UTC, ms (f64 each)
 * - body
 * A record whose kind has the bit `restated` stands at the beginning of a segment, and repeats state from before it.
 * docs/use/recording_format.md describes the format for other readers.
 */
export const segmentMagic = Buffer.from('DUNLINR1', 'latin1');
export const segmentEnding = '.dunlinrec';

/** Bytes of length and CRC. */
export const HEAD_BYTES = 8;
/** Bytes of kind and both times. */
export const PREFIX_BYTES = 17;
/**
 * Limit of the bytes of a record, without length and CRC. A longer record counts as damage and is never held in memory.
 */
export const MOST_RECORD_BYTES = 4 * 1024 * 1024;

export const recordKinds = { json: 1, bytes: 2, way: 3, step: 4 } as const;
export const restated = 0x80;

/**
 * Limit of the senders in a segment. A record `way` names a sender on a link once in a segment and gives it a number.
 * Later records contain that number.
 */
export const MOST_WAYS = 0xffff;

export function segmentName(index: number): string {
  return `${String(index).padStart(8, '0')}${segmentEnding}`;
}

/**
 * A recording on the disk: segments, each a file that begins with `segmentMagic` and holds records one after the other:
 * length (u32), CRC-32 of what follows (u32), then kind (u8), world time and UTC in milliseconds (f64 each), and the
 * body. All numbers are little-endian. A kind with `restated` says again, at the beginning of a segment, what was said
 * before it. docs/use/recording_format.md describes it for other readers.
 */
export const segmentMagic = Buffer.from('DUNLINR1', 'latin1');
export const segmentEnding = '.dunlinrec';

/** Length and CRC. */
export const HEAD_BYTES = 8;
/** Kind and both times. */
export const PREFIX_BYTES = 17;
/** Limit of a record without length and CRC. A longer one counts as damage and is never held in memory. */
export const MOST_RECORD_BYTES = 4 * 1024 * 1024;

export const recordKinds = { json: 1, bytes: 2, way: 3, step: 4 } as const;
export const restated = 0x80;

/**
 * Limit of the senders in a segment. A sender on a link (`way`) is named once in a segment, and referred to by its
 * number afterwards.
 */
export const MOST_WAYS = 0xffff;

export function segmentName(index: number): string {
  return `${String(index).padStart(8, '0')}${segmentEnding}`;
}

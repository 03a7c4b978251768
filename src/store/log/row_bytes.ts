import type { Kind, PackedRow, Scalar } from './packed.ts';

/**
 * Rows as bytes, because thousands of row objects a second would live until their commit, and the garbage collector
 * would move each of them twice. Layout of a row, little endian: u32 length of the row, u8 number of values, f64 time,
 * then each value: u8 tag, and an f64, or a u32 length and UTF-8.
 */
const COUNT = 4;
const AT_MS = 5;
const VALUES = 13;
const NOTHING = 0;
const NUMBER = 1;
const TEXT = 2;
const NUMBER_BYTES = 9;
const TEXT_HEAD_BYTES = 5;
/** Greatest number of bytes of a UTF-16 code unit in UTF-8. */
const UTF8_BYTES = 3;

/** Rows of one kind, one after the other, in memory that both threads see. */
export type RowSpan = {
  readonly kind: Kind;
  readonly bytes: SharedArrayBuffer;
  readonly start: number;
  readonly end: number;
  readonly rows: number;
};

/** Rows that are committed and acknowledged together. A file ignores a batch whose number it already has. */
export type Batch = { readonly seq: number; readonly spans: readonly RowSpan[] };

export function rowsOf(spans: readonly RowSpan[]): number {
  return spans.reduce((sum, { rows }) => sum + rows, 0);
}

/** Upper bound of the bytes that a row takes; cheap, because no text is read. */
export function mostBytes(row: PackedRow): number {
  let bytes = VALUES;
  for (let i = 2; i < row.length; i++) {
    const value = row[i];
    if (typeof value === 'string') bytes += TEXT_HEAD_BYTES + value.length * UTF8_BYTES;
    else bytes += NUMBER_BYTES;
  }
  return bytes;
}

/** Writes a row at `at`, where at least `mostBytes(row)` bytes are free. Returns the offset after the row. */
export function writeRow(bytes: Buffer, at: number, row: PackedRow): number {
  bytes[at + COUNT] = row.length - 2;
  bytes.writeDoubleLE(row[1], at + AT_MS);
  let end = at + VALUES;
  for (let i = 2; i < row.length; i++) end = writeValue(bytes, end, row[i] as Scalar);
  bytes.writeUInt32LE(end - at, at);
  return end;
}

function writeValue(bytes: Buffer, at: number, value: Scalar): number {
  if (typeof value === 'string') {
    const length = bytes.write(value, at + TEXT_HEAD_BYTES, 'utf8');
    bytes[at] = TEXT;
    bytes.writeUInt32LE(length, at + 1);
    return at + TEXT_HEAD_BYTES + length;
  }
  bytes[at] = value === null ? NOTHING : NUMBER;
  if (value === null) return at + 1;
  if (typeof value !== 'number') throw new TypeError(`A ${typeof value} is no value of a row.`);
  bytes.writeDoubleLE(value, at + 1);
  return at + NUMBER_BYTES;
}

/** Returns the offset after the row at `at`. */
export function afterRow(bytes: Buffer, at: number): number {
  return at + bytes.readUInt32LE(at);
}

/** Returns the time of the row at `at`, UTC, ms. */
export function timeOfRow(bytes: Buffer, at: number): number {
  return bytes.readDoubleLE(at + AT_MS);
}

/** Returns the values of the row at `at` besides its time. */
export function valuesOfRow(bytes: Buffer, at: number): Scalar[] {
  const values: Scalar[] = [];
  let from = at + VALUES;
  for (let left = bytes[at + COUNT] ?? 0; left > 0; left--) {
    const tag = bytes[from];
    if (tag === TEXT) {
      const start = from + TEXT_HEAD_BYTES;
      from = start + bytes.readUInt32LE(from + 1);
      values.push(bytes.toString('utf8', start, from));
    } else if (tag === NUMBER) {
      values.push(bytes.readDoubleLE(from + 1));
      from += NUMBER_BYTES;
    } else {
      values.push(null);
      from += 1;
    }
  }
  return values;
}

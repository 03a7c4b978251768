import { closeSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../store/failures.ts';
import { RecordCutter } from './cutter.ts';
import { type Decoded, RecordDecoder } from './decoder.ts';
import { segmentEnding } from './format.ts';

const WINDOW_BYTES = 256 * 1024;

export type SegmentFile = { path: string; bytes: number };

/** Returns the segments of a folder in the order in which they were written. */
export function segmentsIn(folder: string): SegmentFile[] {
  const names = readdirSync(folder).filter((name) => /^\d{8}\./.test(name) && name.endsWith(segmentEnding));
  return names.sort().flatMap((name) => {
    const path = join(folder, name);
    // The recorder may have deleted the segment after the folder was read. Symbolic links are ignored.
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat?.isFile() ? [{ path, bytes: stat.size }] : [];
  });
}

/** Returns the first record of a segment; null if the file does not begin with a segment record. */
export function segmentStart(path: string): Extract<Decoded, { what: 'segment' }> | null {
  for (const decoded of readSegment(path, undefined, 4_096)) return decoded.what === 'segment' ? decoded : null;
  return null;
}

/**
 * Yields all records of one file, which is read piece by piece. A missing file yields one record of damage. `rest` is
 * called with the size of a torn record at the end, bytes; 0 without one.
 */
export function* readSegment(
  path: string,
  rest: (bytes: number) => void = () => {},
  windowBytes = WINDOW_BYTES,
): Generator<Decoded> {
  const file = openIfThere(path);
  if (file === null) {
    yield { what: 'damage', sentence: 'a segment is missing: it was deleted, perhaps to make room for newer ones' };
    return;
  }
  try {
    const cutter = new RecordCutter();
    const decoder = new RecordDecoder();
    for (;;) {
      const window = Buffer.allocUnsafe(windowBytes);
      const length = readSync(file, window, 0, windowBytes, null);
      if (length === 0) break;
      cutter.push(window.subarray(0, length));
      yield* decodeAll(cutter, decoder);
    }
    rest(cutter.rest);
  } finally {
    closeSync(file);
  }
}

function openIfThere(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return null;
    throw thrown;
  }
}

/** Decodes all complete records that were pushed to the cutter. */
export function* decodeAll(cutter: RecordCutter, decoder: RecordDecoder): Generator<Decoded> {
  for (let cut = cutter.next(); cut !== null; cut = cutter.next()) {
    if (cut.what === 'segment') decoder.begin();
    else yield cut.what === 'damage' ? cut : decoder.decode(cut.payload);
  }
}

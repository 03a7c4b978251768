import { createReadStream } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { codeOf } from '../store/failures.ts';
import { readSegment, segmentsIn } from './segment_file.ts';

const PIECE_BYTES = 64 * 1024;

/** Concatenated segments of a recording, which are a recording again. */
export async function* wholeFile(folder: string): AsyncGenerator<Buffer> {
  for (const { path } of segmentsIn(folder)) {
    try {
      yield* createReadStream(path, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>;
    } catch (thrown) {
      // A segment of a recording that goes on may have made room meanwhile.
      if (codeOf(thrown) !== 'ENOENT') throw thrown;
    }
  }
}

/** Bytes received on one link, as lines of `{"t": seconds since 1970, "hex": "..."}`. */
export async function* hexLines(folder: string, linkId: string): AsyncGenerator<Buffer> {
  let lines = '';
  let looked = 0;
  for (const { path } of segmentsIn(folder)) {
    for (const decoded of readSegment(path)) {
      if (decoded.what === 'damage') break;
      // Other requests must not wait for a long recording with few bytes of this link.
      if (++looked % 2_000 === 0) await turn();
      if (decoded.what !== 'record' || decoded.record.kind !== 'bytes' || decoded.record.linkId !== linkId) continue;
      const { bytes, utcMs } = decoded.record;
      lines += `{"t":${(utcMs / 1000).toFixed(4)},"hex":"${Buffer.from(bytes).toString('hex')}"}\n`;
      if (lines.length < PIECE_BYTES) continue;
      yield Buffer.from(lines);
      lines = '';
      await turn();
    }
  }
  if (lines !== '') yield Buffer.from(lines);
}

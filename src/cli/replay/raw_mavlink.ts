import type { CaptureFrame } from './capture.ts';
import { frameLength, isMagic, MAX_FRAME_BYTES } from './mavlink_frame.ts';

/** Greatest length of a piece that consists of bytes outside frames, bytes. */
const MAX_STRAY_BYTES = 1024;

/**
 * Reads a raw stream of MAVLink frames, usually one frame per piece. Every byte of the file is kept in order. Bytes
 * between frames are sent too, because they were also on the line and a receiver must cope with them.
 */
export async function* rawMavlinkFrames(chunks: AsyncIterable<Buffer>): AsyncGenerator<CaptureFrame> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    held = Buffer.concat([held, chunk]);
    const cuts = frameEnds(held, false);
    yield* pieces(held, cuts);
    held = held.subarray(cuts.at(-1) ?? 0);
  }
  const cuts = frameEnds(held, true);
  yield* pieces(held, cuts);
  const rest = held.subarray(cuts.at(-1) ?? 0);
  if (rest.length > 0) yield { atMs: null, bytes: rest };
}

/**
 * Returns the number of bytes that are consecutive MAVLink frames, for the detection of the format. `whole` is true if
 * `head` is the whole file.
 */
export function rawMavlinkBytes(head: Buffer, whole: boolean): number {
  let covered = 0;
  for (let at = 0; at < head.length; ) {
    const length = chainedLength(head, at, whole);
    covered += length;
    at += length || 1;
  }
  return covered;
}

function* pieces(held: Buffer, cuts: readonly number[]): Generator<CaptureFrame> {
  let start = 0;
  for (const end of cuts) {
    yield { atMs: null, bytes: held.subarray(start, end) };
    start = end;
  }
}

/**
 * Returns the positions at which pieces end. A piece ends after a frame if another frame or the end of the file follows
 * it; bytes before the frame belong to the same piece. A piece of bytes outside frames ends after `MAX_STRAY_BYTES`.
 */
function frameEnds(held: Buffer, isEnd: boolean): number[] {
  const cuts: number[] = [];
  let last = 0;
  for (let at = 0; isEnd ? at < held.length : held.length - at > MAX_FRAME_BYTES; ) {
    const length = chainedLength(held, at, isEnd);
    at += length || 1;
    if (length === 0 && at - last < MAX_STRAY_BYTES) continue;
    cuts.push(at);
    last = at;
  }
  return cuts;
}

/** Returns the length of the frame at `at` if another frame or the end of the file follows; else 0. */
function chainedLength(held: Buffer, at: number, isEnd: boolean): number {
  const length = frameLength(held, at);
  const end = at + length;
  return isMagic(held[end]) || (isEnd && end === held.length) ? length : 0;
}

import type { CaptureFrame } from './capture.ts';
import { frameLength, isMagic, MAX_FRAME_BYTES } from './mavlink_frame.ts';

/** Greatest number of bytes outside frames that are sent with the next frame. */
const MAX_STRAY_BYTES = 1024;

/**
 * A raw stream of MAVLink frames, one frame a piece and every byte of the file in its order: what lies between frames was
 * on the line too, and a receiver has to get over it.
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

/** Number of bytes in a piece of a file that are consecutive frames, for detecting its format. */
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

/** Positions to cut at: after every frame that is followed by another or by the end, and in strays that grow too long. */
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

/** Length of the frame at `at` where another frame, or the end of the file, follows it; else 0. */
function chainedLength(held: Buffer, at: number, isEnd: boolean): number {
  const length = frameLength(held, at);
  const end = at + length;
  return isMagic(held[end]) || (isEnd && end === held.length) ? length : 0;
}

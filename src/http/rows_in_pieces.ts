import { setImmediate as turn } from 'node:timers/promises';

/** Work of one piece, at most; and its size, at most. */
const PIECE_MS = 4;
const PIECE_CHARS = 128 * 1024;

/** A list in the envelope, in pieces: between two of them everything else that waits has its turn. */
export async function* rowsInPieces(texts: Iterable<string>): AsyncGenerator<string> {
  let piece = '{"ok":true,"data":[';
  let beganMs = performance.now();
  let comma = '';
  for (const text of texts) {
    piece += comma + text;
    comma = ',';
    if (piece.length < PIECE_CHARS && performance.now() - beganMs < PIECE_MS) continue;
    yield piece;
    await turn();
    piece = '';
    beganMs = performance.now();
  }
  yield `${piece}]}`;
}

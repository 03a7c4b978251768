import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import type { Context } from 'koa';
import { jsonType } from './envelope.ts';

/** Time of one piece of a list, at most; and its size, at most. */
const PIECE_MS = 4;
const PIECE_CHARS = 128 * 1024;

/** An answer that writes itself to the response, where a handler's result does not go into the envelope as it is. */
export class OwnAnswer {
  readonly write: (ctx: Context) => void | Promise<void>;

  constructor(write: (ctx: Context) => void | Promise<void>) {
    this.write = write;
  }
}

/** A text outside the envelope; `name` is the file name that a browser saves it under. */
export function file(type: string, text: string, name?: string): OwnAnswer {
  return new OwnAnswer((ctx) => {
    begin(ctx, type);
    ctx.body = text;
    if (name !== undefined) attach(ctx, name);
  });
}

/** A document in the envelope that is JSON text already. */
export function jsonText(text: string): OwnAnswer {
  return file(jsonType, `{"ok":true,"data":${text}}`);
}

/** A list in the envelope whose rows are JSON texts already. It is written in pieces, so that no request waits for a long one. */
export function jsonRows(texts: Iterable<string>): OwnAnswer {
  return new OwnAnswer((ctx) => {
    begin(ctx, jsonType);
    ctx.body = Readable.from(rowsInPieces(texts));
  });
}

/** A file that is made while it is sent. One that breaks off breaks the connection off too: it must not look whole. */
export function fileInPieces(type: string, name: string, content: AsyncIterable<Buffer>): OwnAnswer {
  return new OwnAnswer(async (ctx) => {
    begin(ctx, type);
    attach(ctx, name);
    if (ctx.method === 'HEAD') {
      ctx.body = '';
      return;
    }
    ctx.respond = false;
    ctx.res.statusCode = 200;
    try {
      await pipeline(Readable.from(content, { objectMode: false }), ctx.res);
    } catch (thrown) {
      // A client that left is no failure of ours.
      if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_STREAM_PREMATURE_CLOSE')) throw thrown;
    }
  });
}

function begin(ctx: Context, type: string): void {
  ctx.status = 200;
  ctx.type = type;
}

function attach(ctx: Context, fileName: string): void {
  ctx.set('Content-Disposition', `attachment; filename="${fileName}"`);
}

async function* rowsInPieces(texts: Iterable<string>): AsyncGenerator<string> {
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

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import type { Context } from 'koa';
import { jsonType } from './envelope.ts';

/** Limits of one piece of a list: the time to write it, and its size. */
const PIECE_MS = 4;
const PIECE_CHARS = 128 * 1024;

/** An answer that writes itself to the response, for results that do not go into the envelope unchanged. */
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

/**
 * A list in the envelope, of rows that are JSON text already. It is written in pieces, so that a long list delays no
 * other request.
 */
export function jsonRows(texts: Iterable<string>): OwnAnswer {
  return new OwnAnswer((ctx) => {
    begin(ctx, jsonType);
    ctx.body = Readable.from(rowsInPieces(texts));
  });
}

/**
 * A file that is made while it is sent. Where making it fails, the connection is broken off too: the file must not look
 * complete.
 */
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
      // A client that disconnected is no failure of the service.
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

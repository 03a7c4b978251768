import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import type { Context } from 'koa';
import { jsonType } from './envelope.ts';

/** Limits of one piece of a list: the time to build it, ms, and its length, characters. */
const PIECE_MS = 4;
const PIECE_CHARS = 128 * 1024;

/**
 * Answer that writes itself to the response: content outside the JSON envelope, or JSON text that needs no encoding.
 */
export class OwnAnswer {
  readonly write: (ctx: Context) => void | Promise<void>;

  constructor(write: (ctx: Context) => void | Promise<void>) {
    this.write = write;
  }
}

/** Answers with a text outside the envelope. A browser saves it under the file name `name`. */
export function file(type: string, text: string, name?: string): OwnAnswer {
  return new OwnAnswer((ctx) => {
    begin(ctx, type);
    ctx.body = text;
    if (name !== undefined) attach(ctx, name);
  });
}

/** Answers with a document that is already JSON text, and puts it into the envelope. */
export function jsonText(text: string): OwnAnswer {
  return file(jsonType, `{"ok":true,"data":${text}}`);
}

/**
 * Answers with a list whose rows are already JSON text, and puts the list into the envelope. It is written in pieces,
 * so that a long list does not delay other requests.
 */
export function jsonRows(texts: Iterable<string>): OwnAnswer {
  return new OwnAnswer((ctx) => {
    begin(ctx, jsonType);
    ctx.body = Readable.from(rowsInPieces(texts));
  });
}

/**
 * Answers with a file that is generated while it is sent. If generating fails, the connection is closed, so that the
 * file does not look complete.
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
      // A client that disconnected is not a failure of the service.
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

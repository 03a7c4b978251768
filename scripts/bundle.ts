/**
 * Bundles src/ into build/dist/: the commands, the daemon and its threads, each with parts of their own that are loaded when
 * they are used. Loading 900 modules one by one was two thirds of the CPU time of a start. V8 holds the text of each file as
 * long as the daemon runs: short names save 4 MB. Native modules stay outside; source maps name the sources.
 */
import { readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile, type Plugin } from 'esbuild';
import { writeBundled } from './bundled.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = `${root}src`;
/** As deep below package.json as build/src/, so that paths relative to a module hold in both. */
const bundles = `${root}build/dist`;
const threads = ['core/thread/worker', 'store/log/thread', 'recording/thread'];
/** Parts of `serve`, with which a program that runs a daemon in its own process puts it together. */
const partsOfServe = ['daemon/daemon', 'host/config', 'host/journal'];
/** They load files of their own beside themselves. */
const outside = ['better-sqlite3', '@serialport/bindings-cpp', '#native', '#geoid'];

/** A bundled module keeps the address that it has alone: `import.meta.url` names its place in the tree, not its bundle. */
const ownAddress: Plugin = {
  name: 'own address',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (path.includes('node_modules') || !text.includes('import.meta.url')) return null;
      const place = JSON.stringify(relative(sources, path).replace(/\.ts$/, '.js'));
      return { contents: text.replaceAll('import.meta.url', `new URL(${place}, bundleRoot).href`), loader: 'ts' };
    });
  },
};

/** Messages of zod in other languages than English are half of it. */
const englishOnly: Plugin = {
  name: 'English only',
  setup({ onLoad }) {
    onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({ contents: 'export {};' }));
  },
};

const require = createRequire(import.meta.url);

/** One table of media types: two packages bring one of their own, with 140 kB of the same content. */
const oneMediaTable: Plugin = {
  name: 'one media table',
  setup({ onResolve }) {
    onResolve({ filter: /^mime-db$/ }, () => ({ path: require.resolve('mime-db') }));
  },
};

/**
 * A dialect of mavlink-mappings as constants that tree shaking can drop: 20 of its 300 messages are used, and all of them
 * with their enumerations cost 10 MB of memory. Of a message class the bundle has the static fields alone.
 */
const usedMessages: Plugin = {
  name: 'used messages',
  setup({ onLoad }) {
    onLoad({ filter: /mavlink-mappings\/dist\/lib\/[a-z0-9]+\.js$/ }, ({ path }) => {
      const exported = Object.entries(require(path) as Record<string, object>);
      const messages = exported.filter(([, value]) => 'FIELDS' in value && 'MSG_ID' in value);
      return { contents: messages.map(([name, { ...fields }]) => constant(name, fields)).join('\n') };
    });
  },
};

const constant = (name: string, value: object): string => `export const ${name} = ${JSON.stringify(value)};`;

/**
 * The first line of each file. CommonJS packages call `require`, which a module of ES lacks; and the files lie at different
 * depths below `bundleRoot`.
 */
const banner = [
  "import { createRequire as requireFrom } from 'node:module';",
  'const require = requireFrom(import.meta.url);',
  "const bundleRoot = import.meta.url.slice(0, import.meta.url.lastIndexOf('/build/dist/') + 12);",
].join(' ');

/** The daemon as one part of its own, which `main` loads for `serve`: shared with the commands it would be fifty files. */
const daemonApart: Plugin = {
  name: 'daemon apart',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/serve\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './cli/serve.js', external: true } : null,
    );
  },
};

async function bundle(entries: readonly string[]): Promise<Metafile> {
  const { metafile } = await build({
    entryPoints: entries.map((entry) => `${sources}/${entry}.ts`),
    outbase: sources,
    outdir: bundles,
    bundle: true,
    splitting: true,
    chunkNames: 'parts/[name]-[hash]',
    minifyWhitespace: true,
    minifySyntax: true,
    minifyIdentifiers: true,
    inject: [`${sources}/host/source_stacks.ts`],
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'warning',
    metafile: true,
    external: outside,
    banner: { js: banner },
    plugins: [ownAddress, englishOnly, oneMediaTable, usedMessages, daemonApart],
  });
  return metafile;
}

await rm(bundles, { recursive: true, force: true });
writeBundled('daemon', await Promise.all([['main'], threads, ['cli/serve', ...partsOfServe]].map(bundle)));

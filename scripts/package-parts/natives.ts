import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { type Arch, archs } from './arch.ts';
import type { Runtime } from './runtime.ts';

/** Compiled modules of one architecture, and the program of radios. */
export type Natives = { addon: string; radio: string; sqlite: string };

const require = createRequire(import.meta.url);

/**
 * Compiles the addon and the SQLite binding against the headers of the shipped Node.js, with the compiler of the
 * architecture. Each is compiled from a copy of its sources: the tree's own builds stay.
 */
export function buildNatives(arch: Arch, runtime: Runtime, folder: string): Natives {
  const beside = join(folder, `addon-${runtime.version}`);
  // The addon's rows are laid out by a script beside it.
  mkdirSync(join(beside, 'scripts'), { recursive: true });
  mkdirSync(join(beside, 'src/model/rows'), { recursive: true });
  cpSync('scripts/generate_layouts.mjs', join(beside, 'scripts/generate_layouts.mjs'));
  const sqlite = join(folder, `sqlite-${runtime.version}`);
  const addon = built(arch, runtime, { source: 'native', target: join(beside, 'native'), file: 'dunlin.node' });
  return {
    addon,
    radio: join(dirname(addon), 'dunlin-radio'),
    sqlite: built(arch, runtime, {
      ...{ source: 'node_modules/better-sqlite3', target: sqlite, file: 'better_sqlite3.node' },
    }),
  };
}

type Module = { source: string; target: string; file: string };

function built(arch: Arch, { folder: node }: Runtime, { source, target, file }: Module): string {
  const result = resolve(target, 'build/Release', file);
  if (existsSync(result) && statSync(result).mtimeMs > newestMs(source)) return result;
  rmSync(target, { recursive: true, force: true });
  cpSync(source, target, { recursive: true, filter: (path) => !/\/(?:build|test)$/.test(path) });
  compile(arch, resolve(target), node);
  return result;
}

function compile(arch: Arch, target: string, node: string): void {
  const { tools, node: cpu } = archs[arch];
  const gyp = require.resolve('node-gyp/bin/node-gyp.js');
  // What a debugger or an assertion would name is the place in the package, not the folder of this build.
  const flags = `-ffile-prefix-map=${target}=. -g0`;
  const env = {
    ...process.env,
    ...{ CC: `${tools}gcc`, CXX: `${tools}g++`, AR: `${tools}ar`, STRIP: `${tools}strip` },
    ...{ CFLAGS: flags, CXXFLAGS: flags, NODE_PATH: resolve('node_modules') },
    npm_config_nodedir: node,
  };
  const args = [
    gyp,
    'rebuild',
    '-C',
    target,
    '--release',
    `--arch=${cpu}`,
    `--nodedir=${node}`,
    '--silent',
    '-j',
    'max',
  ];
  execFileSync(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  for (const file of readdirSync(join(target, 'build/Release')).filter((name) => /\.node$|^dunlin-radio$/.test(name)))
    execFileSync(`${tools}strip`, ['--strip-unneeded', join(target, 'build/Release', file)]);
}

function newestMs(folder: string): number {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const sources = files.filter((file) => /\.(?:h|cc|cpp|hpp|c|gypi?)$/.test(file) && !/^(?:build|test)\//.test(file));
  return Math.max(...sources.map((file) => statSync(join(folder, file)).mtimeMs));
}

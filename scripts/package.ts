/**
 * Makes a Debian package from a built tree: build/dunlin_VERSION_ARCH.deb. The same commit gives the same bytes: files have
 * the time of the commit, and nothing of this machine is inside.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Arch, archs } from './package-parts/arch.ts';
import { makeDeb } from './package-parts/deb.ts';
import { buildNatives } from './package-parts/natives.ts';
import { fetchRuntime } from './package-parts/runtime.ts';
import { stageTree } from './package-parts/tree.ts';

const { values } = parseArgs({
  options: { arch: { type: 'string', default: process.arch === 'arm64' ? 'arm64' : 'amd64' } },
});
const arch = values.arch as Arch;
if (!(arch in archs)) {
  console.error(`there is no architecture '${values.arch}': ${Object.keys(archs).join(', ')}`);
  process.exit(2);
}

const folder = join('build/package', arch);
const root = join(folder, 'root');
rmSync(root, { recursive: true, force: true });
mkdirSync(root, { recursive: true });
const runtime = fetchRuntime(arch, join(folder, 'runtime'));
const natives = buildNatives(arch, runtime, join(folder, 'natives'));
const epoch = Number(execFileSync('git', ['log', '-1', '--format=%ct'], { encoding: 'utf8' }));
stageTree(root, { arch, runtime, natives, epoch });
console.log(makeDeb(root, { arch, epoch }));

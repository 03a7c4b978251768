import { execFileSync } from 'node:child_process';
import { build } from 'esbuild';

/** Test files that a change reaches, and how many of those that start a daemon were left out. */
export type ChangedTests = { files: string[]; daemons: number };

/** A test that imports one of these starts the whole program: every change of src/ reaches it. */
const starters = ['test/support/daemon/program.ts'];
const native = /^native\/(?!test\/)/;
/** The files of the program that load the addon. */
const ADDON = 'src/geo/addon.ts';

/**
 * The tests that import a changed file, themselves or through others. Changed is what git lists as new or different from
 * `revision`; where nothing is, what the last commit changed. The tests of `test/structure` read all sources and documents,
 * so they are always among them. Tests that start a daemon are left out, unless they changed.
 */
export async function changedTests(tests: readonly string[], revision: string): Promise<ChangedTests> {
  const changed = changedFiles(revision);
  const reached = await importsOf(tests);
  const isReached = (file: string): boolean =>
    changed.has(file) || (reached.get(file) ?? []).some((to) => changed.has(to));
  const files = tests.filter(
    (file) => isOfText(file) || changed.has(file) || (isReached(file) && !startsDaemon(reached.get(file) ?? [])),
  );
  const isProgramChanged = [...changed].some((file) => file.startsWith('src/') || native.test(file));
  const daemons = tests.filter(
    (file) => startsDaemon(reached.get(file) ?? []) && !files.includes(file) && (isProgramChanged || isReached(file)),
  );
  return { files, daemons: daemons.length };
}

function isOfText(file: string): boolean {
  return file.startsWith('test/structure/');
}

function startsDaemon(imports: readonly string[]): boolean {
  return imports.some((file) => starters.includes(file));
}

function changedFiles(revision: string): Set<string> {
  const git = (...args: string[]): string[] =>
    execFileSync('git', args, { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line !== '');
  const others = git('ls-files', '--others', '--exclude-standard');
  let changed = [...git('diff', '--name-only', revision), ...others];
  if (changed.length === 0) changed = git('diff', '--name-only', 'HEAD~1');
  return new Set(changed.some((file) => native.test(file)) ? [...changed, ADDON] : changed);
}

/** Of each file those that it imports, directly and through others. */
async function importsOf(files: readonly string[]): Promise<Map<string, string[]>> {
  const { metafile } = await build({
    entryPoints: [...files],
    ...{ bundle: true, write: false, metafile: true, platform: 'node', format: 'esm', packages: 'external' },
    ...{ outdir: 'build/changed', logLevel: 'silent', external: ['#native'] },
  });
  const outputs = Object.values(metafile.outputs).filter(({ entryPoint }) => entryPoint !== undefined);
  return new Map(outputs.map(({ entryPoint, inputs }) => [entryPoint ?? '', Object.keys(inputs)]));
}

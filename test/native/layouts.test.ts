import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { LAYOUTS_FINGERPRINT, TRACK } from '../../src/model/rows/layouts.ts';
import { emulator, LONG_MS } from '../support/references/emulator.ts';

const run = promisify(execFile);
const table = readFileSync('native/layouts.json', 'utf8');

/** Generates both files from a table; gives the header, the module and the commands that compile against them. */
async function generated(folder: string, text: string) {
  mkdirSync(folder, { recursive: true });
  const [json, header, module] = ['layouts.json', 'layouts.h', 'layouts.ts'].map((name) => join(folder, name));
  if (!json || !header || !module) throw new Error('unreachable');
  writeFileSync(json, text);
  const [node = '', ...emulated] = [...emulator, process.execPath];
  await run(node, [...emulated, 'scripts/generate_layouts.mjs', json, header, module]);
  const compiles = async (command: string, args: string[]): Promise<boolean> =>
    run(command, args).then(
      () => true,
      () => false,
    );
  return {
    header: readFileSync(header, 'utf8'),
    module: readFileSync(module, 'utf8'),
    /** Whether a C++ expression over the layouts holds at compile time. */
    asserts(expression: string): Promise<boolean> {
      const source = join(folder, 'check.cc');
      writeFileSync(source, `#include "layouts.h"\nstatic_assert(dunlin::${expression});\n`);
      return compiles('g++', ['-std=c++20', '-Wall', '-Wextra', '-Werror', '-fsyntax-only', source]);
    },
    /** Whether a TypeScript statement over the layouts compiles. */
    typechecks(statement: string): Promise<boolean> {
      const source = join(folder, 'check.ts');
      writeFileSync(source, `import { TRACK } from './layouts.ts';\n${statement}\n`);
      const options = [
        '--noEmit',
        '--strict',
        '--ignoreConfig',
        '--allowImportingTsExtensions',
        '--module',
        'nodenext',
      ];
      return compiles('node_modules/.bin/tsc', [...options, source]);
    },
  };
}

t.test('the program, the addon and the table agree', async (t) => {
  const { header, module } = await generated(t.testdir(), table);
  t.equal(readFileSync('native/layouts.h', 'utf8'), header);
  t.equal(readFileSync('src/model/rows/layouts.ts', 'utf8'), module);
  t.equal(createRequire(import.meta.url)('#native').layouts, LAYOUTS_FINGERPRINT);
});

t.test(
  'a column that moves, moves on both sides; one that goes is missed by both compilers',
  { timeout: LONG_MS },
  async (t) => {
    const before = await generated(t.testdir(), table);

    const added = await generated(t.testdir(), table.replace('"misses":', '"turn_rate_dps": "", "misses":'));
    t.ok(await added.asserts(`kTrackMisses == ${TRACK.misses + 1} && dunlin::kTrackTurnRateDps == ${TRACK.misses}`));
    t.ok(
      await added.typechecks(
        `export const all: [${TRACK.misses}, ${TRACK.misses + 1}] = [TRACK.turnRateDps, TRACK.misses];`,
      ),
    );
    t.not(
      added.header.match(/Fingerprint.*/)?.[0],
      before.header.match(/Fingerprint.*/)?.[0],
      'an addon of before is refused',
    );

    const gone = await generated(t.testdir(), table.replace('"misses":', '"absences":'));
    t.notOk(await gone.asserts('kTrackMisses >= 0'));
    t.notOk(await gone.typechecks('export const misses = TRACK.misses;'));
  },
);

t.test('rows of another layout stand last', async (t) => {
  const wrong = table.replace('"confidence":', '"early": ["prediction", ""], "confidence":');
  await t.rejects(generated(t.testdir(), wrong), /has to be the last/);
});

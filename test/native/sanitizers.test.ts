import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { seedOf } from '../support/seed.ts';

const run = promisify(execFile);
const source = fileURLToPath(new URL('../../../native/test/filter_check.cc', import.meta.url));

t.test(
  'random and hostile numbers go through the native headers without undefined behaviour',
  { timeout: 120_000 },
  async (t) => {
    const binary = join(t.testdir(), 'filter_check');
    const sanitizers = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all', '-fno-omit-frame-pointer'];
    await run('g++', [
      '-std=c++20',
      '-O1',
      '-g',
      '-Wall',
      '-Wextra',
      '-Werror',
      '-ffp-contract=off',
      ...sanitizers,
      source,
      '-o',
      binary,
    ]);
    const { stdout } = await run(binary, [String(seedOf(t))]);
    t.match(stdout, /2000 rounds/);
  },
);

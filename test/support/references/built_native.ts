import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const folder = new URL('../../../../native/test/', import.meta.url);

/** Both stop at the first thing found; numbers that do not fit the integer they are made are told too. */
export const sanitized = [
  '-g',
  '-fsanitize=address,undefined,float-cast-overflow',
  '-fno-sanitize-recover=all',
  '-fno-omit-frame-pointer',
];

/** Compiles native/test/NAME.cc and gives the path of the program. Traces that are off leave empty branches behind. */
export async function builtNative(name: string, binary: string, flags: readonly string[]): Promise<string> {
  const source = fileURLToPath(new URL(`${name}.cc`, folder));
  const strict = ['-std=c++20', '-Wall', '-Wextra', '-Werror', '-Wno-empty-body', '-ffp-contract=off'];
  await run('g++', [...strict, '-O1', ...flags, source, '-o', binary]);
  return binary;
}

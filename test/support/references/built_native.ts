import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { emulator } from './emulator.ts';

const run = promisify(execFile);
const native = fileURLToPath(new URL('../../../../native/', import.meta.url));
/** Programs stay here: several files of tests run the same one. */
const built = fileURLToPath(new URL('../../../native-test/', import.meta.url));
/** Compiler of the processor for which the tests run. */
const compiler = process.env.CXX ?? 'g++';

/** Both stop at the first thing found; numbers that do not fit the integer they are made are told too. */
export const sanitized = [
  '-g',
  '-fsanitize=address,undefined,float-cast-overflow',
  '-fno-sanitize-recover=all',
  '-fno-omit-frame-pointer',
];

/** Compiles native/test/NAME.cc and gives the path of the program. Traces that are off leave empty branches behind. */
export async function builtNative(name: string, flags: readonly string[]): Promise<string> {
  const variant = createHash('sha256')
    .update([compiler, ...flags].join(' '))
    .digest('hex')
    .slice(0, 8);
  const binary = join(built, `${name}-${variant}`);
  if (existsSync(binary) && statSync(binary).mtimeMs > newestSourceMs()) return binary;
  mkdirSync(built, { recursive: true });
  const strict = ['-std=c++20', '-Wall', '-Wextra', '-Werror', '-Wno-empty-body', '-ffp-contract=off'];
  const partial = `${binary}.${process.pid}`;
  const program = emulator.length === 0 ? partial : `${binary}.emulated`;
  await run(compiler, [...strict, '-O1', ...flags, join(native, 'test', `${name}.cc`), '-o', program]);
  if (emulator.length > 0)
    writeFileSync(partial, `#!/bin/sh\nexec ${emulator.join(' ')} ${program} "$@"\n`, { mode: 0o755 });
  renameSync(partial, binary);
  return binary;
}

function newestSourceMs(): number {
  const files = readdirSync(native, { recursive: true, encoding: 'utf8' });
  return Math.max(...files.map((file) => statSync(join(native, file)).mtimeMs));
}

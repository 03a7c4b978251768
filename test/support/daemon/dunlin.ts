import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { mainScript, plainNode } from './program.ts';

const folder = join(process.cwd(), '../shared/samples');

/** A reason for tap's `skip` where the sample captures are not at hand. */
export const samplesMissing: string | false = existsSync(folder) ? false : 'the sample captures are not here';

export const sample = (path: string): string => join(folder, path);

/** Runs a `dunlin` command to its end; a test that ends before kills it. */
export function dunlin(t: Test, ...args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const [command = process.execPath, ...prefix] = plainNode;
  const child = spawn(command, [...prefix, mainScript, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  t.teardown(() => child.kill('SIGKILL'));
  const said = { out: '', err: '' };
  child.stdout.on('data', (text) => {
    said.out += text;
  });
  child.stderr.on('data', (text) => {
    said.err += text;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...said })));
}

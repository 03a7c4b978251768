import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sentenceOf } from '../../../src/model/fault.ts';

type Test = { teardown(work: () => void): void };

function mount(folder: string, options: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'pipe' });
}

function unmount(folder: string): void {
  execFileSync('umount', ['-l', folder]);
  rmdirSync(folder);
}

/** Why a test that needs a file system of its own is skipped, or false where mounting is permitted. */
export function noMount(): string | false {
  const folder = mkdtempSync(join(tmpdir(), 'dunlin-'));
  try {
    mount(folder, 'size=1m');
  } catch (thrown) {
    rmdirSync(folder);
    return `a small file system cannot be mounted here: ${sentenceOf(thrown).trim()}`;
  }
  unmount(folder);
  return false;
}

/** A file system in memory with mount options such as `size=2m`, gone when the test ends. */
export function mountTmpfs(t: Test, options: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'dunlin-'));
  mount(folder, options);
  t.teardown(() => unmount(folder));
  return folder;
}

export function remount(folder: string, options: string): void {
  execFileSync('mount', ['-o', `remount,${options}`, folder]);
}

/** Makes one file read-only for everyone, root too, until the test ends. */
export function bindReadOnly(t: Test, path: string): void {
  execFileSync('mount', ['--bind', path, path]);
  t.teardown(() => execFileSync('umount', ['-l', path]));
  execFileSync('mount', ['-o', 'remount,bind,ro', path]);
}

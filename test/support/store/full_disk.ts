import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';

/** A reason to skip, or false where this user may mount. */
export function mountRefused(): string | false {
  const folder = mkdtempSync(join(tmpdir(), 'dunlin-mount-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
  if (status === 0) spawnSync('umount', [folder]);
  rmSync(folder, { recursive: true });
  return status === 0 ? false : 'this user may not mount a file system that can be filled';
}

/** Makes a folder a file system of its own with so many MiB. */
export function mountSmall(t: Test, folder: string, mib: number): void {
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'tmpfs', folder]);
  if (status !== 0) throw new Error(`mount failed: ${stderr}`);
  t.teardown(() => spawnSync('umount', ['--lazy', folder]));
}

/** Takes all the room there is, to the last block; again with each call. */
export function fill(folder: string): { free(): void } {
  const path = join(folder, 'filler');
  const file = openSync(path, 'a');
  const block = Buffer.alloc(statfsSync(folder).bsize);
  try {
    for (;;) writeSync(file, block);
  } catch (thrown) {
    if (!String(thrown).includes('ENOSPC')) throw thrown;
  } finally {
    closeSync(file);
  }
  return { free: () => rmSync(path) };
}

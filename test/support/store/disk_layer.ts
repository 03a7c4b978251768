import { spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Owner } from '../basics/owner.ts';

const source = fileURLToPath(new URL('../../../../test/support/store/disk_layer.c', import.meta.url));
const errors = { EIO: 5, ENOSPC: 28 };

/** A reason to skip, or false where a compiler can make the layer. */
export function noDiskLayer(): string | false {
  if (process.platform !== 'linux') return 'a library can be preloaded on Linux only';
  return spawnSync('cc', ['--version']).error ? 'cc is not installed, so the faulty disk cannot be compiled' : false;
}

/** How the disk fails: shares are of 1, `syncDelayMs` is for each sync. */
export type DiskFaults = { syncDelayMs?: number; syncFails?: number; writeFails?: number; error?: keyof typeof errors };

export type DiskLayer = {
  /** Environment of the process below which the layer lies. */
  env: NodeJS.ProcessEnv;
  journal: string;
  /** Sets the faults from now on; `{}` ends them. */
  set(faults: DiskFaults): void;
};

/** Compiles the layer and gives the environment that puts it under a daemon with this data folder. */
export function diskLayer(t: Owner, dataDir: string, { keepsJournal = false } = {}): DiskLayer {
  const folder = mkdtempSync(join(tmpdir(), 'dunlin-disk-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const library = join(folder, 'disk_layer.so');
  const made = spawnSync('cc', ['-O1', '-shared', '-fPIC', '-o', library, source, '-ldl', '-lpthread']);
  if (made.status !== 0) throw new Error(`the faulty disk was not compiled: ${made.stderr}`);
  const control = join(folder, 'control');
  const journal = join(folder, 'journal');
  const set = ({ syncDelayMs = 0, syncFails = 0, writeFails = 0, error = 'EIO' }: DiskFaults): void => {
    const words = Uint32Array.of(syncDelayMs, syncFails * 1_000, writeFails * 1_000, errors[error]);
    // The daemon has the file mapped: it is written in place and never made shorter.
    const file = openSync(control, constants.O_CREAT | constants.O_WRONLY, 0o600);
    writeSync(file, new Uint8Array(words.buffer), 0, words.byteLength, 0);
    closeSync(file);
  };
  set({});
  const env = {
    LD_PRELOAD: library,
    DISK_LAYER_FOLDER: dataDir,
    DISK_LAYER_CONTROL: control,
    ...(keepsJournal ? { DISK_LAYER_JOURNAL: journal } : {}),
  };
  return { env, journal, set };
}

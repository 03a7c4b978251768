import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { unavailable } from '../model/fault.ts';
import { reasonOf } from './failures.ts';
import { syncPath } from './place.ts';

/**
 * Creates a folder that only the daemon's user and group can enter, unless it exists, and checks that it can be read
 * and written. Throws a Fault `unavailable` that names the folder if either step fails.
 */
export function prepareFolder(path: string): void {
  try {
    makeFolder(path);
  } catch (thrown) {
    throw unavailable(`The data folder ${path} cannot be created: ${reasonOf(thrown)}.`, { cause: thrown });
  }
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (thrown) {
    throw unavailable(`The data folder ${path} cannot be written: ${reasonOf(thrown)}.`, {
      cause: thrown,
    });
  }
}

/** Returns a path if it exists; otherwise its nearest parent that does. */
export function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

/**
 * Creates a folder and its parents. Node's option `recursive` is not used: it retries for ever if an existing parent
 * answers ENOENT, as everything below /proc does.
 */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o750 });
    syncName(path);
  } catch (thrown) {
    // Another process may have created the folder in the meantime.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw thrown;
  }
}

/**
 * Syncs the directory entry of a new folder. Without this a power failure could remove the folder with all files in it,
 * even synced ones.
 */
function syncName(path: string): void {
  try {
    syncPath(dirname(path));
  } catch {
    // This user cannot read the parent, for example a mount point of root. The kernel syncs it within seconds.
  }
}

/**
 * Throws a Fault `unavailable` if a file exists and this user cannot write it, for example after a first start as
 * another user. The file is not opened for the test, because closing a second descriptor would release SQLite's locks.
 */
export function checkWritable(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return;
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (thrown) {
    throw unavailable(`The file ${path} cannot be written: ${reasonOf(thrown)}.`, { cause: thrown });
  }
}

import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { unavailable } from '../model/fault.ts';
import { reasonOf } from './failures.ts';

/**
 * Makes a folder that only the daemon's user and group can enter, or sees that the one that is there can be written.
 * Throws a Fault `unavailable` that names the folder.
 */
export function prepareFolder(path: string): void {
  try {
    makeFolder(path);
  } catch (thrown) {
    throw unavailable(`The data folder ${path} cannot be made: ${reasonOf(thrown)}.`, { cause: thrown });
  }
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (thrown) {
    throw unavailable(`The data folder ${path} cannot be written: ${reasonOf(thrown)}.`, {
      cause: thrown,
    });
  }
}

/**
 * Makes a folder and those above it. Not with `recursive`: Node tries again for ever where a parent exists and yet
 * answers ENOENT, as everything below /proc does.
 */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o750 });
  } catch (thrown) {
    // Another process may have made it meanwhile.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw thrown;
  }
}

/**
 * Throws a Fault `unavailable` where a file exists and this user cannot write it; a first start as another user leaves
 * such files. The test does not open the file: closing a second descriptor would free SQLite's locks.
 */
export function checkWritable(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return;
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (thrown) {
    throw unavailable(`The file ${path} cannot be written: ${reasonOf(thrown)}.`, { cause: thrown });
  }
}

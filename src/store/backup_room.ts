import { readdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unavailable } from '../model/fault.ts';
import { historyFolders } from './backup.ts';
import { nearestFolder } from './folder.ts';

/** Free space that a backup on the disk of the data leaves to the daemon. */
const LEFT_BYTES = 200e6;

/**
 * Throws a Fault `unavailable` if the disk has too little room for a backup of `dataDir` in the new folder `to`. On the
 * disk of the data, the backup must leave room for the daemon too.
 */
export function checkRoom(dataDir: string, to: string): void {
  const parent = nearestFolder(dirname(to));
  const { bavail, bsize } = statfsSync(parent);
  const freeBytes = bavail * bsize;
  const needBytes = databaseBytes(dataDir) + (statSync(parent).dev === statSync(dataDir).dev ? LEFT_BYTES : 0);
  if (needBytes <= freeBytes) return;
  const sizes = `needs ${megabytes(needBytes)}, and ${megabytes(freeBytes)} are free`;
  throw unavailable(`the backup ${sizes} in ${parent}: delete old backups there, or back up to another disk`);
}

/** Returns the size of all databases with their write-ahead logs. The copies are not larger. */
function databaseBytes(dataDir: string): number {
  const folders = ['.', ...historyFolders(dataDir)].map((name) => join(dataDir, name));
  const paths = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /^(?:state|\d{4}-\d\d-\d\d)\.db(?:-wal)?$/.test(name))
      .map((name) => join(folder, name)),
  );
  return paths.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`;
}

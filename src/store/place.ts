import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a file under another name, syncs it and renames it, so that one with the right name is always whole. */
export function moveIntoPlace(path: string, write: (part: string) => void): void {
  const part = `${path}.part`;
  rmSync(part, { force: true });
  write(part);
  syncPath(part);
  renameSync(part, path);
  syncPath(dirname(path));
}

/** Brings a file, or what a folder says of its names, to the disk. */
export function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

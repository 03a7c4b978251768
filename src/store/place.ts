import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { parsedNote } from './database.ts';

/**
 * Writes a file under a temporary name, syncs it and renames it. A file with the final name is therefore always
 * complete.
 */
export function moveIntoPlace(path: string, write: (part: string) => void): void {
  const part = `${path}.part`;
  rmSync(part, { force: true });
  write(part);
  syncPath(part);
  renameSync(part, path);
  syncPath(dirname(path));
}

/** Writes a document as one line of JSON, atomically by `moveIntoPlace`. */
export function writeNote(path: string, document: object): void {
  moveIntoPlace(path, (part) => writeFileSync(part, `${JSON.stringify(document)}\n`, { mode: 0o640 }));
}

/** Reads a file that `writeNote` wrote; null if the file is missing, `unreadable` if it cannot be read or parsed. */
export function readNote<T>(path: string, schema: z.ZodType<T>): T | 'unreadable' | null {
  if (!existsSync(path)) return null;
  try {
    return parsedNote(readFileSync(path, 'utf8'), schema);
  } catch {
    return 'unreadable';
  }
}

/**
 * Syncs the write-ahead log of a database, which contains the commits made with `synchronous = NORMAL`. SQLite holds no
 * locks on this file, so closing the descriptor releases none.
 */
export function syncLog(path: string): void {
  const log = openSync(`${path}-wal`, 'r+');
  try {
    fdatasyncSync(log);
  } finally {
    closeSync(log);
  }
}

/** Syncs a file to the disk, or the directory entries of a folder. */
export function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

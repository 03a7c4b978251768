import Database from 'better-sqlite3';
import { sentenceOf } from '../model/fault.ts';

/** Returns the code of a SQLite or system error (`SQLITE_FULL`, `EACCES`); an empty text if there is no code. */
export function codeOf(thrown: unknown): string {
  if (thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string') return thrown.code;
  return '';
}

/**
 * Returns true for an error that shows a damaged database file: its pages contradict each other, or the file is not a
 * database.
 */
export function isCorrupt(thrown: unknown): boolean {
  const code = codeOf(thrown);
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB';
}

/** Returns true for an I/O error that SQLite reports, unless the cause is a full disk. */
export function isUnreadable(thrown: unknown): boolean {
  return codeOf(thrown).startsWith('SQLITE_IOERR') && !isDiskFull(thrown);
}

export function isDiskFull(thrown: unknown): boolean {
  const code = codeOf(thrown);
  // SQLite reports a full disk with this code when it opens a database and cannot enlarge the shared-memory file.
  return code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_IOERR_SHMSIZE';
}

/**
 * Returns true for an error that the written row caused, and not the file. The row violates a constraint of its table,
 * or has a value of an unsupported type.
 */
export function isBadRow(thrown: unknown): boolean {
  if (!(thrown instanceof Database.SqliteError)) return thrown instanceof TypeError || thrown instanceof RangeError;
  return /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE)/.test(thrown.code);
}

const reasons: Record<string, string> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of its path is not a folder',
  EEXIST: 'a file with this path exists already',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  SQLITE_FULL: 'the disk is full',
  SQLITE_IOERR_SHMSIZE: 'the disk is full',
  SQLITE_READONLY: 'it is read-only for this user',
  SQLITE_READONLY_DIRECTORY: 'its folder is read-only for this user',
  SQLITE_CANTOPEN: 'it cannot be opened by this user',
  SQLITE_BUSY: 'another program is using it',
  SQLITE_NOTADB: 'it is not a SQLite database',
};

/** Returns why a file operation failed, as the end of a sentence, for example `permission denied (EACCES)`. */
export function reasonOf(thrown: unknown): string {
  const code = codeOf(thrown);
  const reason = reasons[code];
  if (reason !== undefined) return `${reason} (${code})`;
  return code === '' ? sentenceOf(thrown) : `${sentenceOf(thrown)} (${code})`;
}

/** Returns true if a trigger of the database refused a write (RAISE). */
export function isOfTrigger(thrown: unknown): boolean {
  return thrown instanceof Database.SqliteError && thrown.code === 'SQLITE_CONSTRAINT_TRIGGER';
}

import { join } from 'node:path';
import Database from 'better-sqlite3';
import { conflict, unavailable } from '../model/fault.ts';
import { codeOf, reasonOf } from './failures.ts';
import { checkWritable } from './folder.ts';

export type Lock = { release(): void };

/**
 * Takes the data folder for this process alone, by an exclusive transaction that is never written on an empty SQLite
 * database `lock`. The kernel frees it when the process ends in any way, so a killed daemon leaves nothing to clean up.
 * Throws a Fault `conflict` where another daemon holds the folder.
 */
export function lockFolder(dataDir: string): Lock {
  const path = join(dataDir, 'lock');
  // SQLite would open a file it may not write as read-only and then lock nothing.
  checkWritable(path);
  let db: Database.Database | null = null;
  try {
    db = new Database(path, { timeout: 0 });
    db.pragma('journal_mode = OFF');
    db.pragma('locking_mode = EXCLUSIVE');
    db.exec('BEGIN EXCLUSIVE');
  } catch (thrown) {
    db?.close();
    if (codeOf(thrown).startsWith('SQLITE_BUSY')) {
      const sentence = `The data folder ${dataDir} is in use by another Dunlin: stop that one first, or give this one a folder of its own.`;
      throw conflict(sentence, { cause: thrown });
    }
    throw unavailable(`The lock ${path} cannot be taken: ${reasonOf(thrown)}.`, { cause: thrown });
  }
  const held = db;
  return { release: () => held.close() };
}

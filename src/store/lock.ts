import { join } from 'node:path';
import Database from 'better-sqlite3';
import { conflict, unavailable } from '../model/fault.ts';
import { codeOf, reasonOf } from './failures.ts';
import { checkWritable } from './folder.ts';

export type Lock = { release(): void };

/**
 * Locks the data folder for this process, by an exclusive transaction on the empty SQLite database `lock`. This
 * database is never written. The kernel releases the lock when the process ends, so a killed daemon leaves nothing to
 * clean up. Throws a Fault `conflict` if another daemon has locked the folder.
 */
export function lockFolder(dataDir: string): Lock {
  const path = join(dataDir, 'lock');
  // SQLite would open a file without write permission as read-only, and then the lock would exclude nobody.
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
      const sentence = `The data folder ${dataDir} is in use by another Dunlin: stop that Dunlin first, or use another data folder.`;
      throw conflict(sentence, { cause: thrown });
    }
    throw unavailable(`The lock file ${path} cannot be locked: ${reasonOf(thrown)}.`, { cause: thrown });
  }
  const held = db;
  return { release: () => held.close() };
}

import Database from 'better-sqlite3';

/** Reads a database beside whatever else has it open. */
export function readDatabase<T>(path: string, read: (db: Database.Database) => T): T {
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: 5_000 });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

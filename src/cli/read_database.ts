import Database from 'better-sqlite3';

/** Opens a database read-only, calls `read`, and closes it. Other processes may have the database open. */
export function readDatabase<T>(path: string, read: (db: Database.Database) => T): T {
  const db = new Database(path, { readonly: true, fileMustExist: true, timeout: 5_000 });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

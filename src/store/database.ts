import Database from 'better-sqlite3';
import type { z } from 'zod';

/** Opens an existing database, runs `use` on it, and closes it. */
export function withDatabase<T>(path: string, options: Database.Options, use: (db: Database.Database) => T): T {
  const db = new Database(path, { fileMustExist: true, ...options });
  try {
    return use(db);
  } finally {
    db.close();
  }
}

/** Returns the value of a key in the table `meta` of `state.db` or of a day file; null if the key is missing. */
export function readMeta(db: Database.Database, key: string): string | null {
  return db.prepare<[string], string>('SELECT value FROM meta WHERE key = ?').pluck().get(key) ?? null;
}

export function writeMeta(db: Database.Database, key: string, value: string): void {
  db.prepare('INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value').run(key, value);
}

/** Parses a JSON record. Returns null if `text` is null, and `unreadable` if the text does not fit the schema. */
export function parsedNote<T>(text: string | null, schema: z.ZodType<T>): T | 'unreadable' | null {
  if (text === null) return null;
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return 'unreadable';
  }
}

import { withDatabase } from './database.ts';

export type ReturningKey = { id: string; name: string; prefix: string };
export type ReturningUser = { id: string; name: string };

/** Keys and users that were removed after the backup and that a restore brings back. */
export type Returning = {
  /** False where the present database could not be read: each key and user of the backup may then be one. */
  known: boolean;
  keys: ReturningKey[];
  users: ReturningUser[];
};

/** Compares the keys and users that work in a backup with those that work now. `presentPath` is null where nothing is there. */
export function returningAccess(presentPath: string | null, backupPath: string): Returning {
  const backup = readable(() => accessIn(backupPath)) ?? { keys: [], users: [] };
  if (presentPath === null) return { known: true, keys: [], users: [] };
  const present = readable(() => accessIn(presentPath));
  if (present === null) return { known: false, ...backup };
  const isGone = (now: readonly { id: string }[]) => {
    const ids = new Set(now.map(({ id }) => id));
    return ({ id }: { id: string }): boolean => !ids.has(id);
  };
  const keys = backup.keys.filter(isGone(present.keys));
  return { known: true, keys, users: backup.users.filter(isGone(present.users)) };
}

/** Revokes keys in a database that no daemon uses. */
export function revokeIn(path: string, keys: readonly ReturningKey[], at: string): void {
  withDatabase(path, {}, (db) => {
    const revoke = db.prepare('UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL');
    db.transaction(() => {
      for (const { id } of keys) revoke.run(at, id);
    }).immediate();
  });
}

function accessIn(path: string): Pick<Returning, 'keys' | 'users'> {
  return withDatabase(path, { readonly: true, timeout: 5_000 }, (db) => {
    const has = db.prepare("SELECT count(*) FROM sqlite_schema WHERE name IN ('api_keys', 'users')").pluck().get();
    // Schema 1 had neither; a database with nothing in it is one that was emptied.
    if (has !== 2) throw new Error('there are no keys and users in it');
    const keys = db
      .prepare<[], ReturningKey>('SELECT id, name, prefix FROM api_keys WHERE revoked_at IS NULL ORDER BY name, id')
      .all();
    const users = db.prepare<[], ReturningUser>('SELECT id, name FROM users ORDER BY name').all();
    return { keys, users };
  });
}

function readable<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

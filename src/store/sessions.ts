import type { State } from './state.ts';

/**
 * A session: only the SHA-256 of its token is kept. `createdMs` and `expiresMs` are UTC, for people to read; it holds by
 * `beganMs`, monotonic milliseconds of the boot `bootId`.
 */
export type SessionRow = {
  hash: string;
  userId: string;
  createdMs: number;
  expiresMs: number;
  bootId: string;
  beganMs: number;
};

export type SessionRows = {
  /** With the user's name and the hash of the password. */
  get(hash: string): (SessionRow & { userName: string; password: string }) | null;
  insert(row: SessionRow): void;
  remove(hash: string): void;
  removeOfUser(userId: string): void;
  /** Forgets those of other boots, those that did not begin within `[sinceMs, nowMs]`, and of a user all but the newest `keep`. */
  prune(now: { bootId: string; sinceMs: number; nowMs: number }, userId: string, keep: number): void;
};

const columns =
  'hash, user_id AS userId, created_ms AS createdMs, expires_ms AS expiresMs, boot_id AS bootId, began_ms AS beganMs';

export function sessionRows({ db }: State): SessionRows {
  const get = db.prepare<[string], SessionRow & { userName: string; password: string }>(
    `SELECT ${columns}, name AS userName, password FROM sessions JOIN users ON users.id = user_id WHERE hash = ?`,
  );
  const insert = db.prepare<[SessionRow]>(
    `INSERT INTO sessions (hash, user_id, created_ms, expires_ms, boot_id, began_ms)
     VALUES (@hash, @userId, @createdMs, @expiresMs, @bootId, @beganMs)`,
  );
  const remove = db.prepare<[string]>('DELETE FROM sessions WHERE hash = ?');
  const removeOfUser = db.prepare<[string]>('DELETE FROM sessions WHERE user_id = ?');
  const expire = db.prepare<[string, number, number]>(
    'DELETE FROM sessions WHERE boot_id <> ? OR began_ms < ? OR began_ms > ?',
  );
  const cap = db.prepare<[string, number]>(
    `DELETE FROM sessions WHERE hash IN
       (SELECT hash FROM sessions WHERE user_id = ? ORDER BY began_ms DESC LIMIT -1 OFFSET ?)`,
  );
  return {
    get: (hash) => get.get(hash) ?? null,
    insert: (row) => void insert.run(row),
    remove: (hash) => void remove.run(hash),
    removeOfUser: (userId) => void removeOfUser.run(userId),
    prune({ bootId, sinceMs, nowMs }, userId, keep) {
      expire.run(bootId, sinceMs, nowMs);
      cap.run(userId, keep);
    },
  };
}

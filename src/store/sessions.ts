import type { State } from './state.ts';

/** A session: only the SHA-256 of its token is kept. Times are UTC milliseconds. */
export type SessionRow = { hash: string; userId: string; createdMs: number; expiresMs: number };

export type SessionRows = {
  /** With the user's name. */
  get(hash: string): (SessionRow & { userName: string }) | null;
  insert(row: SessionRow): void;
  remove(hash: string): void;
  removeOfUser(userId: string): void;
  /** Forgets what expired before `nowMs`, and of a user all but the newest `keep`. */
  prune(nowMs: number, userId: string, keep: number): void;
};

const columns = 'hash, user_id AS userId, created_ms AS createdMs, expires_ms AS expiresMs';

export function sessionRows({ db }: State): SessionRows {
  const get = db.prepare<[string], SessionRow & { userName: string }>(
    `SELECT ${columns}, name AS userName FROM sessions JOIN users ON users.id = user_id WHERE hash = ?`,
  );
  const insert = db.prepare<[SessionRow]>(
    'INSERT INTO sessions (hash, user_id, created_ms, expires_ms) VALUES (@hash, @userId, @createdMs, @expiresMs)',
  );
  const remove = db.prepare<[string]>('DELETE FROM sessions WHERE hash = ?');
  const removeOfUser = db.prepare<[string]>('DELETE FROM sessions WHERE user_id = ?');
  const expire = db.prepare<[number]>('DELETE FROM sessions WHERE expires_ms < ?');
  const cap = db.prepare<[string, number]>(
    `DELETE FROM sessions WHERE hash IN
       (SELECT hash FROM sessions WHERE user_id = ? ORDER BY created_ms DESC LIMIT -1 OFFSET ?)`,
  );
  return {
    get: (hash) => get.get(hash) ?? null,
    insert: (row) => void insert.run(row),
    remove: (hash) => void remove.run(hash),
    removeOfUser: (userId) => void removeOfUser.run(userId),
    prune(nowMs, userId, keep) {
      expire.run(nowMs);
      cap.run(userId, keep);
    },
  };
}

import type { State } from './state.ts';
import { number, type RowOf, Statements, table, text } from './table.ts';

/**
 * Sessions. Only the SHA-256 of a token is stored. `createdMs` and `expiresMs` are UTC, ms, for information only.
 * Validity and renewal depend on `beganMs` and on `signedInMs`, the time at which the password was entered. Both are
 * monotonic time of the boot `bootId`, ms.
 */
const sessions = table('sessions', 'session', {
  hash: text,
  userId: text,
  createdMs: number,
  expiresMs: number,
  bootId: text,
  beganMs: number,
  signedInMs: number,
});
type SessionRow = RowOf<typeof sessions>;

export type SessionRows = ReturnType<typeof sessionRows>;

export function sessionRows({ db }: State) {
  const rows = new Statements(db, sessions);
  const get = db.prepare<[string], SessionRow & { userName: string; password: string }>(
    `SELECT ${rows.select}, name AS userName, password FROM sessions JOIN users ON users.id = user_id WHERE hash = ?`,
  );
  const expire = rows.delete<[string, number, number]>('boot_id <> ? OR began_ms < ? OR began_ms > ?');
  const cap = rows.delete<[string, number]>(
    'hash IN (SELECT hash FROM sessions WHERE user_id = ? ORDER BY began_ms DESC LIMIT -1 OFFSET ?)',
  );
  return {
    /** Returns a session with the user's name and password hash; null if there is none. */
    get: (hash: string) => get.get(hash) ?? null,
    insert: rows.insert(),
    remove: rows.delete<[hash: string]>('hash = ?'),
    removeOfUser: rows.delete<[userId: string]>('user_id = ?'),
    /**
     * Deletes all sessions of other boots, and all that did not begin within `[sinceMs, nowMs]`. Of the sessions of
     * `userId`, only the newest `keep` remain.
     */
    prune(now: { bootId: string; sinceMs: number; nowMs: number }, userId: string, keep: number): void {
      expire(now.bootId, now.sinceMs, now.nowMs);
      cap(userId, keep);
    },
  };
}

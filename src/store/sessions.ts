import type { State } from './state.ts';
import { number, type RowOf, Statements, table, text } from './table.ts';

/**
 * Sessions. Only the SHA-256 of a token is stored. `createdMs` and `expiresMs` are UTC and informative. Validity
 * depends on `beganMs`, and renewal on `signedInMs`, the time of the password; both are monotonic ms of the boot
 * `bootId`.
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
    /** The session, with the user's name and the hash of the password. */
    get: (hash: string) => get.get(hash) ?? null,
    insert: rows.insert(),
    remove: rows.delete<[hash: string]>('hash = ?'),
    removeOfUser: rows.delete<[userId: string]>('user_id = ?'),
    /**
     * Deletes sessions of other boots, and sessions that did not begin within `[sinceMs, nowMs]`. Of the user it keeps
     * the newest `keep` sessions.
     */
    prune(now: { bootId: string; sinceMs: number; nowMs: number }, userId: string, keep: number): void {
      expire(now.bootId, now.sinceMs, now.nowMs);
      cap(userId, keep);
    },
  };
}

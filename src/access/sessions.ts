import { formatTime } from '../model/time.ts';
import { sessionRows } from '../store/sessions.ts';
import type { AccessRim } from './rim.ts';
import { hashOfToken, isSameHash, isToken, newToken } from './tokens.ts';

export const SESSION_MS = 30 * 60_000;
/** Of one user; signing in once more ends the oldest. */
const KEPT = 64;

export type Person = { userId: string; name: string };

/**
 * Who has signed in. A session holds half an hour and is not extended. Its end is told in UTC, and kept by the monotonic
 * clock, so that a wall clock that is set neither ends nor prolongs it; after a restart UTC is all there is to go by.
 */
export class Sessions {
  readonly #rim: AccessRim;
  readonly #rows;
  readonly #deadlines = new Map<string, number>();

  constructor(rim: AccessRim) {
    this.#rim = rim;
    this.#rows = sessionRows(rim.state);
  }

  open(userId: string): { token: string; expiresAt: string } {
    const token = newToken('dst');
    const hash = hashOfToken(token);
    const nowMs = this.#rim.utcMs();
    const row = { hash, userId, createdMs: Math.floor(nowMs), expiresMs: Math.floor(nowMs + SESSION_MS) };
    this.#rim.state.write('The session', () => {
      this.#rows.insert(row);
      this.#rows.prune(nowMs, userId, KEPT);
      this.#forgetEnded();
    });
    this.#keep(hash, SESSION_MS);
    return { token, expiresAt: formatTime(row.expiresMs) };
  }

  /** Whose session a token is of, or null where it is none or has ended. */
  find(token: string): Person | null {
    if (!isToken('dst', token)) return null;
    const hash = hashOfToken(token);
    const row = this.#rows.get(hash);
    if (!row || !isSameHash(row.hash, hash)) return null;
    const deadlineMs = this.#deadlines.get(hash) ?? this.#keep(hash, row.expiresMs - this.#rim.utcMs());
    return this.#rim.nowMs() < deadlineMs ? { userId: row.userId, name: row.userName } : null;
  }

  end(token: string): void {
    const hash = hashOfToken(token);
    this.#deadlines.delete(hash);
    this.#rim.state.write('The end of the session', () => this.#rows.remove(hash));
  }

  #keep(hash: string, remainingMs: number): number {
    const deadlineMs = this.#rim.nowMs() + Math.min(remainingMs, SESSION_MS);
    this.#deadlines.set(hash, deadlineMs);
    return deadlineMs;
  }

  /** With their rows: a wall clock that is set back must not bring one to life again. */
  #forgetEnded(): void {
    for (const [hash, deadlineMs] of this.#deadlines) {
      if (deadlineMs > this.#rim.nowMs()) continue;
      this.#rows.remove(hash);
      this.#deadlines.delete(hash);
    }
  }
}

import { formatTime } from '../model/time.ts';
import { type SessionRows, sessionRows } from '../store/sessions.ts';
import type { AccessDeps } from './deps.ts';
import { hashOfToken, isSameHash, isToken, newToken } from './tokens.ts';

export const SESSION_MS = 30 * 60_000;
/** Limit of the sessions of one user. A further sign-in ends the oldest session. */
const KEPT = 64;

/** New session, with the token for the client. The service stores only a hash of the token. */
export type NewSession = { token: string; expiresAt: string };

/** Person of a session. `password` is the current hash of the user's password. */
export type Person = { userId: string; name: string; password: string };

/**
 * Sessions of signed-in people. A session lasts at most half an hour. A renewal replaces it by another one, up to a
 * limit after the sign-in. Clients see the end of a session in UTC. The service decides by the monotonic clock of the
 * boot, which continues across restarts of the service: a step of the wall clock neither ends nor prolongs a session.
 * All sessions end when the box reboots, because no trusted clock measures the time between two boots.
 */
export class Sessions {
  readonly #deps: AccessDeps;
  /** Boot to which the monotonic times belong. */
  readonly #bootId: string;
  readonly #longestMs: number;
  readonly #rows;

  /** `longestMs` is the longest time from a sign-in until the end of its last renewed session, ms. */
  constructor(deps: AccessDeps, bootId: string, longestMs: number) {
    this.#longestMs = longestMs;
    this.#deps = deps;
    this.#bootId = bootId;
    this.#rows = sessionRows(deps.state);
  }

  open(userId: string): NewSession {
    return this.#begin(userId, this.#now(), () => undefined);
  }

  /**
   * Replaces a session by a new one of the same sign-in. Returns null if the session has ended, or if the sign-in is
   * older than the limit.
   */
  renew(token: string): NewSession | null {
    const row = this.#rowOf(token);
    if (row === null || this.#leftMs(row.signedInMs) <= 0) return null;
    return this.#begin(row.userId, row.signedInMs, () => this.#rows.remove(row.hash));
  }

  /** Begins a session. `before` runs in the same transaction, before the insertion. */
  #begin(userId: string, signedInMs: number, before: () => void): NewSession {
    const bootId = this.#bootId;
    const token = newToken('dst');
    const [utcMs, nowMs] = [Math.floor(this.#deps.utcMs()), this.#now()];
    const expiresMs = utcMs + Math.min(SESSION_MS, this.#leftMs(signedInMs));
    const row = { hash: hashOfToken(token), userId, createdMs: utcMs, expiresMs };
    const { state } = this.#deps;
    state.vital(() =>
      state.write('The session', () => {
        before();
        this.#rows.insert({ ...row, bootId, beganMs: nowMs, signedInMs });
        this.#rows.prune({ bootId, sinceMs: nowMs - SESSION_MS + 1, nowMs }, userId, KEPT);
      }),
    );
    return { token, expiresAt: formatTime(row.expiresMs) };
  }

  /** Returns how much longer the sessions of a sign-in may last, ms. */
  #leftMs(signedInMs: number): number {
    return this.#longestMs - (this.#now() - signedInMs);
  }

  /** Returns the person of the session with this token; null if the session is unknown or has ended. */
  find(token: string): Person | null {
    const row = this.#rowOf(token);
    return row && { userId: row.userId, name: row.userName, password: row.password };
  }

  #rowOf(token: string): ReturnType<SessionRows['get']> {
    if (!isToken('dst', token)) return null;
    const hash = hashOfToken(token);
    const row = this.#rows.get(hash);
    if (!row || !isSameHash(row.hash, hash) || row.bootId !== this.#bootId) return null;
    const ageMs = this.#now() - row.beganMs;
    if (ageMs < 0 || ageMs >= SESSION_MS || this.#leftMs(row.signedInMs) <= 0) return null;
    return row;
  }

  end(token: string): void {
    const { state } = this.#deps;
    state.vital(() => state.write('The end of the session', () => this.#rows.remove(hashOfToken(token))));
  }

  #now(): number {
    return Math.floor(this.#deps.nowMs());
  }
}

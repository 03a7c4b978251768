import { formatTime } from '../model/time.ts';
import { type SessionRows, sessionRows } from '../store/sessions.ts';
import type { AccessDeps } from './deps.ts';
import { hashOfToken, isSameHash, isToken, newToken } from './tokens.ts';

export const SESSION_MS = 30 * 60_000;
/** Limit for the sessions of one user; another sign-in ends the oldest. */
const KEPT = 64;

/** A session as its person gets it: the token is kept nowhere. */
export type NewSession = { token: string; expiresAt: string };

/** A person of a session; `password` is the hash of the user's password at that time. */
export type Person = { userId: string; name: string; password: string };

/**
 * Sessions of signed-in people. A session lasts half an hour; a renewal gives another token for as long, up to a limit after
 * the password. Its end is shown in UTC and kept by the
 * monotonic clock of its boot, over restarts of the service too: a stepped wall clock neither ends nor prolongs it. It ends
 * with the boot, since no trusted clock measures the time between two boots.
 */
export class Sessions {
  readonly #deps: AccessDeps;
  /** The boot that the monotonic clock is of. */
  readonly #bootId: string;
  readonly #longestMs: number;
  readonly #rows;

  /** `longestMs`: limit of all sessions of one sign-in together. */
  constructor(deps: AccessDeps, bootId: string, longestMs: number) {
    this.#longestMs = longestMs;
    this.#deps = deps;
    this.#bootId = bootId;
    this.#rows = sessionRows(deps.state);
  }

  open(userId: string): NewSession {
    return this.#begin(userId, this.#now(), () => undefined);
  }

  /** Ends a session and begins another of the same sign-in; null where there is none, or its limit is reached. */
  renew(token: string): NewSession | null {
    const row = this.#rowOf(token);
    if (row === null || this.#leftMs(row.signedInMs) <= 0) return null;
    return this.#begin(row.userId, row.signedInMs, () => this.#rows.remove(row.hash));
  }

  /** Begins a session in one write with what goes before it. */
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

  /** Time that is left of a sign-in, ms. */
  #leftMs(signedInMs: number): number {
    return this.#longestMs - (this.#now() - signedInMs);
  }

  /** The person of a session by its token; null where there is none or it has ended. */
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

import { formatTime } from '../model/time.ts';
import { sessionRows } from '../store/sessions.ts';
import type { AccessDeps } from './deps.ts';
import { hashOfToken, isSameHash, isToken, newToken } from './tokens.ts';

export const SESSION_MS = 30 * 60_000;
/** Limit for the sessions of one user; another sign-in ends the oldest. */
const KEPT = 64;

/** `password` is the hash of it that the user had when the session was looked up. */
export type Person = { userId: string; name: string; password: string };

/**
 * Sessions of signed-in people. A session lasts half an hour and is not extended. Its end is shown in UTC and kept by the
 * monotonic clock of its boot, over restarts of the service too: a stepped wall clock neither ends nor prolongs it. It ends
 * with the boot, since no trusted clock measures the time between two boots.
 */
export class Sessions {
  readonly #deps: AccessDeps;
  /** The boot that the monotonic clock is of. */
  readonly #bootId: string;
  readonly #rows;

  constructor(deps: AccessDeps, bootId: string) {
    this.#deps = deps;
    this.#bootId = bootId;
    this.#rows = sessionRows(deps.state);
  }

  open(userId: string): { token: string; expiresAt: string } {
    const bootId = this.#bootId;
    const token = newToken('dst');
    const [utcMs, nowMs] = [Math.floor(this.#deps.utcMs()), this.#now()];
    const row = { hash: hashOfToken(token), userId, createdMs: utcMs, expiresMs: utcMs + SESSION_MS };
    const { state } = this.#deps;
    state.vital(() =>
      state.write('The session', () => {
        this.#rows.insert({ ...row, bootId, beganMs: nowMs });
        this.#rows.prune({ bootId, sinceMs: nowMs - SESSION_MS + 1, nowMs }, userId, KEPT);
      }),
    );
    return { token, expiresAt: formatTime(row.expiresMs) };
  }

  /** The person of a session by its token; null where there is none or it has ended. */
  find(token: string): Person | null {
    if (!isToken('dst', token)) return null;
    const hash = hashOfToken(token);
    const row = this.#rows.get(hash);
    if (!row || !isSameHash(row.hash, hash) || row.bootId !== this.#bootId) return null;
    const ageMs = this.#now() - row.beganMs;
    if (ageMs < 0 || ageMs >= SESSION_MS) return null;
    return { userId: row.userId, name: row.userName, password: row.password };
  }

  end(token: string): void {
    const { state } = this.#deps;
    state.vital(() => state.write('The end of the session', () => this.#rows.remove(hashOfToken(token))));
  }

  #now(): number {
    return Math.floor(this.#deps.nowMs());
  }
}

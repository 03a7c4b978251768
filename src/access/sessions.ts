import { formatTime } from '../model/time.ts';
import { sessionRows } from '../store/sessions.ts';
import type { AccessRim } from './rim.ts';
import { hashOfToken, isSameHash, isToken, newToken } from './tokens.ts';

export const SESSION_MS = 30 * 60_000;
/** Of one user; signing in once more ends the oldest. */
const KEPT = 64;

/** `password` is the hash of it that the user had when the session was looked up. */
export type Person = { userId: string; name: string; password: string };

/**
 * Who has signed in. A session holds half an hour and is not extended. Its end is shown in UTC and kept by the monotonic
 * clock of the boot that it began in, over restarts of the service too: a wall clock that is set neither ends nor prolongs
 * it. It ends with the boot, since no clock that can be trusted tells how long it ran before.
 */
export class Sessions {
  readonly #rim: AccessRim;
  /** The boot that the monotonic clock is of. */
  readonly #bootId: string;
  readonly #rows;

  constructor(rim: AccessRim, bootId: string) {
    this.#rim = rim;
    this.#bootId = bootId;
    this.#rows = sessionRows(rim.state);
  }

  open(userId: string): { token: string; expiresAt: string } {
    const bootId = this.#bootId;
    const token = newToken('dst');
    const [utcMs, nowMs] = [Math.floor(this.#rim.utcMs()), this.#now()];
    const row = { hash: hashOfToken(token), userId, createdMs: utcMs, expiresMs: utcMs + SESSION_MS };
    const { state } = this.#rim;
    state.vital(() =>
      state.write('The session', () => {
        this.#rows.insert({ ...row, bootId, beganMs: nowMs });
        this.#rows.prune({ bootId, sinceMs: nowMs - SESSION_MS + 1, nowMs }, userId, KEPT);
      }),
    );
    return { token, expiresAt: formatTime(row.expiresMs) };
  }

  /** Whose session a token is of, or null where it is none or has ended. */
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
    const { state } = this.#rim;
    state.vital(() => state.write('The end of the session', () => this.#rows.remove(hashOfToken(token))));
  }

  #now(): number {
    return Math.floor(this.#rim.nowMs());
  }
}

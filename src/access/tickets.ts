import type { Ticket } from '../model/access.ts';
import { Fault } from '../model/fault.ts';
import { formatTime } from '../model/time.ts';
import type { Principal } from './principal.ts';
import { hashOfToken, newToken } from './tokens.ts';

const TICKET_MS = 60_000;
const MOST = 4_096;
const MOST_OF_ONE = 64;

type Held = { by: Principal; deadlineMs: number; file: string | null };

/**
 * Tickets for requests that a browser sends without headers: opening the stream, and saving a file. A ticket for a file
 * is bound to its path and query. A ticket is valid once and for one minute. Tickets exist in memory only.
 */
export class Tickets {
  readonly #clock: { nowMs(): number; utcMs(): number };
  /** Unused tickets by the hash of their text, in the order of expiry: all have the same lifetime. */
  readonly #held = new Map<string, Held>();

  constructor(clock: { nowMs(): number; utcMs(): number }) {
    this.#clock = clock;
  }

  /**
   * Issues a ticket for the stream or for a file. `file` is the path and query of the file below `/api` or `/v1`; null
   * for the stream.
   */
  issue(by: Principal, file: string | null = null): Ticket {
    this.#forgetExpired();
    let ofOne = 0;
    for (const held of this.#held.values()) if (isSame(held.by, by)) ofOne++;
    if (ofOne >= MOST_OF_ONE || this.#held.size >= MOST) {
      const sentence = 'too many tickets are unused: use them, or try again in 60 s, when they have expired';
      throw new Fault('rate_limited', sentence, { retryAfterS: TICKET_MS / 1000 });
    }
    const ticket = newToken(file === null ? 'stk' : 'ftk');
    this.#held.set(hashOfToken(ticket), { by, deadlineMs: this.#clock.nowMs() + TICKET_MS, file });
    return { ticket, expires_at: formatTime(this.#clock.utcMs() + TICKET_MS) };
  }

  /**
   * Returns the principal of a ticket for this stream or file, else null. If `use` is true, the ticket becomes invalid.
   */
  redeem(ticket: string, use: boolean, file: string | null = null): Principal | null {
    this.#forgetExpired();
    const hash = hashOfToken(ticket);
    const held = this.#held.get(hash);
    if (held?.file !== file) return null;
    if (use) this.#held.delete(hash);
    return held.by;
  }

  #forgetExpired(): void {
    const nowMs = this.#clock.nowMs();
    for (const [hash, { deadlineMs }] of this.#held) {
      if (deadlineMs > nowMs) break;
      this.#held.delete(hash);
    }
  }
}

function isSame({ actor: a }: Principal, { actor: b }: Principal): boolean {
  return a.type === b.type && a.id === b.id;
}

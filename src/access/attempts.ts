import { Fault } from '../model/fault.ts';
import { networkOf } from '../model/network.ts';

const WINDOW_MS = 60_000;
const REMEMBERED = 4_096;

/** An admitted attempt. Call `forgive` after a success: the attempt then no longer counts towards the limits. */
export type Try = { forgive(): void };

/**
 * Limits sign-in attempts per minute: `most` for each network, and `most` for each pair of network and name. Remembers
 * at most `REMEMBERED` networks and pairs together.
 */
export class Attempts {
  readonly #most: number;
  readonly #nowMs: () => number;
  readonly #tries = new Map<string, number[]>();

  constructor(most: number, nowMs: () => number) {
    this.#most = most;
    this.#nowMs = nowMs;
  }

  /** Admits and counts an attempt. Throws `rate_limited` with the time until the next allowed attempt, s. */
  take(address: string, name: string): Try {
    const network = networkOf(address);
    const keys = [network, JSON.stringify([network, name])];
    const nowMs = this.#nowMs();
    const fullUntilMs = Math.max(...keys.map((key) => this.#fullUntilMs(key, nowMs)));
    if (fullUntilMs > nowMs) {
      const retryAfterS = Math.ceil((fullUntilMs - nowMs) / 1000);
      throw new Fault('rate_limited', `too many sign-in attempts: try again in ${retryAfterS} s`, { retryAfterS });
    }
    for (const key of keys) this.#note(key, nowMs);
    return {
      forgive: () => {
        for (const key of keys) this.#forget(key, nowMs);
      },
    };
  }

  get remembered(): number {
    return this.#tries.size;
  }

  #fullUntilMs(key: string, nowMs: number): number {
    const recent = (this.#tries.get(key) ?? []).filter((atMs) => nowMs - atMs < WINDOW_MS);
    return recent.length < this.#most ? nowMs : (recent[recent.length - this.#most] ?? nowMs) + WINDOW_MS;
  }

  #note(key: string, nowMs: number): void {
    const recent = (this.#tries.get(key) ?? []).filter((atMs) => nowMs - atMs < WINDOW_MS);
    // Insert the key again, so that the entries of the map stay sorted by the time of their last attempt.
    this.#tries.delete(key);
    this.#tries.set(key, [...recent, nowMs]);
    for (const [oldest, tries] of this.#tries) {
      if (this.#tries.size <= REMEMBERED && nowMs - (tries.at(-1) ?? 0) < WINDOW_MS) break;
      this.#tries.delete(oldest);
    }
  }

  #forget(key: string, atMs: number): void {
    const tries = this.#tries.get(key);
    const index = tries?.indexOf(atMs) ?? -1;
    if (tries && index >= 0) tries.splice(index, 1);
  }
}

import { Fault } from '../model/fault.ts';
import { networkOf } from '../model/network.ts';

const WINDOW_MS = 60_000;
const REMEMBERED = 4_096;

/** An admitted attempt; `forgive` removes it after a success. */
export type Try = { forgive(): void };

/** Limits sign-in attempts a minute by address and by name. Its memory is bounded. */
export class Attempts {
  readonly #most: number;
  readonly #nowMs: () => number;
  readonly #tries = new Map<string, number[]>();

  constructor(most: number, nowMs: () => number) {
    this.#most = most;
    this.#nowMs = nowMs;
  }

  /** Throws `rate_limited` with the seconds until the next try. */
  take(address: string, name: string): Try {
    const network = networkOf(address);
    const keys = [network, JSON.stringify([network, name])];
    const nowMs = this.#nowMs();
    const fullUntilMs = Math.max(...keys.map((key) => this.#fullUntilMs(key, nowMs)));
    if (fullUntilMs > nowMs) {
      const retryAfterS = Math.ceil((fullUntilMs - nowMs) / 1000);
      throw new Fault('rate_limited', `too many tries to sign in; try again in ${retryAfterS} s`, { retryAfterS });
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
    // Inserted again, so that the map is in the order of the last attempt.
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

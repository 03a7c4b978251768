import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomFrom } from '../../../test/support/basics/random.ts';
import type { Failures } from './failures.ts';

/** Everything that goes on beside the daemon until it is stopped. A part that fails is noted and goes on. */
export class Work {
  readonly failures: Failures;
  readonly #end = new AbortController();
  readonly #parts: Promise<void>[] = [];
  readonly #ends: (() => unknown)[] = [];
  readonly #random: () => number;

  constructor(failures: Failures, seed: number) {
    this.failures = failures;
    // Every part that pauses listens for the end.
    setMaxListeners(0, this.#end.signal);
    this.#random = randomFrom(seed);
  }

  get isOver(): boolean {
    return this.#end.signal.aborted;
  }

  /** A generator of its own for one part, so that the pace of one part changes no choice of another. */
  random(): () => number {
    return randomFrom(Math.floor(this.#random() * 0x7fffffff));
  }

  /** Ends early where the work is over. */
  async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#end.signal }).catch(() => {});
  }

  /** Calls `act` again and again until the work is over. */
  again(name: string, act: () => Promise<void>): void {
    const turn = async (): Promise<void> => {
      while (!this.isOver) {
        try {
          await act();
        } catch (thrown) {
          if (!this.isOver) this.failures.note(name, String((thrown as Error).stack ?? thrown));
          await this.pause(1_000);
        }
      }
    };
    this.#parts.push(turn());
  }

  /** Calls `act` at a steady pace. */
  tick(ms: number, act: () => void): void {
    const timer = setInterval(act, ms);
    this.#end.signal.addEventListener('abort', () => clearInterval(timer));
  }

  atEnd(act: () => unknown): void {
    this.#ends.push(act);
  }

  async stop(): Promise<void> {
    if (this.isOver) return;
    this.#end.abort();
    await Promise.all(this.#parts);
    for (const end of this.#ends.reverse()) await end();
  }
}

export function between(random: () => number, least: number, most: number): number {
  return least + random() * (most - least);
}

export function oneOf<T>(random: () => number, values: readonly T[]): T | undefined {
  return values[Math.floor(random() * values.length)];
}

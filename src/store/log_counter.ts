import { writeMeta } from './database.ts';
import type { State } from './state.ts';

/**
 * Reserves log numbers for this process. The numbers from `first` to `last` are reserved, and all are greater than
 * `above`.
 */
type Reserve = (above: number) => { first: number; last: number };

/**
 * Counter of log rows. One counter serves the whole box, so audit rows and events have a common order although they are
 * stored separately. Other processes also write audit rows, for example the command line while a daemon runs. Therefore
 * `reserve` reserves numbers in the database, and no number is used twice.
 */
export class LogCounter {
  readonly #reserve: Reserve | null;
  #last: number;
  #until: number;

  /** `last` is the highest number in use. `reserve` is null if no other process writes. */
  constructor(last: number, reserve: Reserve | null = null) {
    this.#reserve = reserve;
    this.#last = last;
    this.#until = reserve === null ? Number.MAX_SAFE_INTEGER : last;
  }

  next(): number {
    if (this.#last >= this.#until) this.#take();
    return ++this.#last;
  }

  /**
   * Returns the next number that is also greater than `least`: another process may have written rows in the meantime.
   */
  nextAbove(least: number): number {
    if (least > this.#last) {
      this.#last = least;
      this.forget();
    }
    return this.next();
  }

  /**
   * Gives up the reserved numbers. Call it after another process wrote rows, or if the transaction that reserved the
   * numbers failed.
   */
  forget(): void {
    if (this.#reserve !== null) this.#until = Math.min(this.#until, this.#last);
  }

  #take(): void {
    if (this.#reserve === null) return;
    try {
      const { first, last } = this.#reserve(this.#last);
      this.#last = Math.max(this.#last, first - 1);
      this.#until = last;
    } catch {
      // A disk that refuses writes also stops other processes from writing. One number may therefore be used without a
      // reservation, so that operation continues.
      this.#until = this.#last + 1;
    }
  }
}

/** Number of log numbers that a daemon reserves with one disk write. */
export const BLOCK = 1_000;

/**
 * Returns a function that reserves `size` log numbers in the database. They are above all numbers that any process
 * reserved. The number of an audit row is reserved in the transaction that writes the row.
 */
export function reserveIn(state: State, size: number): Reserve {
  const highest = state.db.prepare<[], { highest: number | null }>(
    `SELECT max(coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'log_seq'), 0),
       coalesce((SELECT max(seq) FROM audit), 0)) AS highest`,
  );
  return (above) =>
    state.write('The numbers of the log', () => {
      const first = Math.max(above, highest.get()?.highest ?? 0) + 1;
      const last = first + size - 1;
      writeMeta(state.db, 'log_seq', String(last));
      return { first, last };
    });
}

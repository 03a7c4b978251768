import { writeMeta } from './database.ts';
import type { State } from './state.ts';

/** Reserves numbers for this process: all from the result's `first` to its `last`, which are above `above`. */
type Reserve = (above: number) => { first: number; last: number };

/**
 * The numbers of log rows. One counter serves the whole box, so audit rows and events, which are stored separately,
 * have a common order. Other processes write to the audit log too, for example the command line while a daemon runs.
 * Therefore `reserve` reserves numbers in the database, and no number is used twice.
 */
export class LogCounter {
  readonly #reserve: Reserve | null;
  #last: number;
  #until: number;

  /** `last` is the highest number in use. */
  constructor(last: number, reserve: Reserve | null = null) {
    this.#reserve = reserve;
    this.#last = last;
    this.#until = reserve === null ? Number.MAX_SAFE_INTEGER : last;
  }

  next(): number {
    if (this.#last >= this.#until) this.#take();
    return ++this.#last;
  }

  /** The next number that is also above `least`: another process may have written since. */
  nextAbove(least: number): number {
    if (least > this.#last) {
      this.#last = least;
      this.forget();
    }
    return this.next();
  }

  /** Gives up the reserved numbers: another process wrote rows, or the transaction that reserved them failed. */
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
      // A disk that refuses writes keeps the other processes from writing too, so the next numbers can be used
      // unreserved: operation continues.
      this.#until = this.#last + 1;
    }
  }
}

/** Numbers that a daemon reserves at once: one disk write for a block of events. */
export const BLOCK = 1_000;

/**
 * Reserves log numbers in the database, `size` at a time, above all that any process ever got. The number of an audit
 * row is reserved in the transaction that writes the row.
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

import { writeMeta } from './database.ts';
import type { State } from './state.ts';

/** Sets numbers aside for this process alone: all from the answer's `first` to its `last` are above `above`. */
type Reserve = (above: number) => { first: number; last: number };

/**
 * The numbers of log rows: one counter for the box, so that audit rows and events, kept apart, stand in one order.
 * Other processes write to the audit log too: the command line does, while a daemon runs. There `reserve` sets numbers
 * aside in the database, so no number is given twice.
 */
export class LogCounter {
  readonly #reserve: Reserve | null;
  #last: number;
  #until: number;

  /** `last` is the highest number ever given. */
  constructor(last: number, reserve: Reserve | null = null) {
    this.#reserve = reserve;
    this.#last = last;
    this.#until = reserve === null ? Number.MAX_SAFE_INTEGER : last;
  }

  next(): number {
    if (this.#last >= this.#until) this.#take();
    return ++this.#last;
  }

  /** The next number that is above `least` too: another process may have written since. */
  nextAbove(least: number): number {
    if (least > this.#last) {
      this.#last = least;
      this.forget();
    }
    return this.next();
  }

  /** Gives up what is set aside: another process has numbered rows, or the transaction that set it aside came to nothing. */
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
      // A disk that takes nothing keeps the others from writing too: the watch goes on with the numbers that follow.
      this.#until = this.#last + 1;
    }
  }
}

/** Numbers that a daemon sets aside at once: one write to the disk for a block of events. */
export const BLOCK = 1_000;

/**
 * Log numbers set aside in the database, `size` at a time, above all that any process ever was given. The number of an
 * audit row is set aside in the transaction that writes the row.
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

/** Sets numbers aside for this process alone: all from the answer's `first` to its `last` are above `above`. */
export type Reserve = (above: number) => { first: number; last: number };

/**
 * The numbers of log rows: one counter for the box, so that audit rows and events, kept apart, stand in one order. Where
 * other processes write to the audit log too (the command line does, while a daemon runs), `reserve` sets numbers aside in
 * the database, so that no number is ever given twice.
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

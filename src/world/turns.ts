/** Runs asynchronous work in the order in which it was ordered, one piece at a time. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Failed work rejects the caller's promise; the next piece runs all the same. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** Resolves once all work that was ordered so far is done. */
  async idle(): Promise<void> {
    await this.#last;
  }
}

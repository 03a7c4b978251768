/** Runs asynchronous work one piece at a time, in the order of the calls of `run`. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` after all earlier work. Failed work rejects the promise of its caller only; later work still runs. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** Resolves once all work that was passed to `run` so far is done. */
  async idle(): Promise<void> {
    await this.#last;
  }
}

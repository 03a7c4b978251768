/** The numbers of log rows: one counter for the box, so that audit rows and events, kept apart, stand in one order. */
export class LogCounter {
  #last: number;

  /** `last` is the highest number ever given. */
  constructor(last: number) {
    this.#last = last;
  }

  next(): number {
    return ++this.#last;
  }
}

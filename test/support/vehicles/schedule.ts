/** What is to be done later, on a time that others let pass. */
export class Schedule {
  #nowS = 0;
  #waiting: { dueS: number; go: () => void }[] = [];

  /** At once where there is nothing to wait for. */
  after(seconds: number, go: () => void): void {
    if (seconds <= 0) go();
    else this.#waiting.push({ dueS: this.#nowS + seconds, go });
  }

  advance(seconds: number): void {
    this.#nowS += seconds;
    const due = this.#waiting.filter(({ dueS }) => dueS <= this.#nowS + 1e-9);
    if (due.length === 0) return;
    this.#waiting = this.#waiting.filter(({ dueS }) => dueS > this.#nowS + 1e-9);
    for (const { go } of due) go();
  }

  clear(): void {
    this.#waiting = [];
  }
}

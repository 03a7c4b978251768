/** A start is seen by a clock that went back; what was late on the way is not a start. */
const BACK_MS = 5_000;
/** Words that agree to so much when their sender started are of one. */
const SAME_START_MS = 1_500;
/** Last words of before a start may come for so long. */
const LATE_MS = 5_000;
/** Who has not been heard for so long leaves the word to the other. */
const SILENT_MS = 3_000;

/**
 * When what speaks as one vehicle started, by its own clock. A clock that goes back is a start; one that goes back and forth
 * is two vehicles, of which the one heard first since is believed.
 */
export class Starts {
  #bootMs = 0;
  #heardMs = Number.NEGATIVE_INFINITY;
  /** The moment at which whoever spoke before the last start had started, and when that ended. */
  #former: { startedMs: number; untilMs: number } | null = null;
  #startedMs = 0;
  /** When two were last heard side by side. */
  twoMs = Number.NEGATIVE_INFINITY;

  hear(bootMs: number, atMs: number): 'start' | 'news' | 'late' {
    const startedMs = atMs - bootMs;
    if (this.#former && Math.abs(startedMs - this.#former.startedMs) <= SAME_START_MS) {
      const isAlone = atMs - this.#heardMs >= SILENT_MS;
      if (!isAlone) {
        if (atMs - this.#former.untilMs >= LATE_MS) this.twoMs = atMs;
        return 'late';
      }
      this.#former = null;
      return this.#believe(bootMs, atMs);
    }
    if (bootMs + BACK_MS < this.#bootMs) {
      this.#former = { startedMs: this.#startedMs, untilMs: atMs };
      this.#believe(bootMs, atMs);
      return 'start';
    }
    return bootMs < this.#bootMs ? 'late' : this.#believe(bootMs, atMs);
  }

  /** Nothing of before counts: it speaks from another address. */
  forget(): void {
    this.#bootMs = 0;
    this.#former = null;
  }

  #believe(bootMs: number, atMs: number): 'news' {
    this.#bootMs = bootMs;
    this.#heardMs = atMs;
    this.#startedMs = atMs - bootMs;
    return 'news';
  }
}

/** Step back of a boot clock that counts as a start, ms; a message delayed on the way is no start. */
const BACK_MS = 5_000;
/** Tolerance within which messages that report the same start time have one sender, ms. */
const SAME_START_MS = 1_500;
/** Time for which messages sent before a start may still arrive, ms. */
const LATE_MS = 5_000;
/** A speaker silent for this long is replaced by the other. */
const SILENT_MS = 3_000;

/**
 * When what speaks as one vehicle started, by its own clock. A clock that goes back is a start; one that goes back and forth
 * is two vehicles, of which the one received first since is believed.
 */
export class Starts {
  #bootMs = 0;
  #receivedMs = Number.NEGATIVE_INFINITY;
  /** The moment at which whoever spoke before the last start had started, and when that ended. */
  #former: { startedMs: number; untilMs: number } | null = null;
  #startedMs: number | null = null;
  /** When two were last received side by side. */
  twoMs = Number.NEGATIVE_INFINITY;

  receive(bootMs: number, atMs: number): 'start' | 'news' | 'late' {
    const startedMs = atMs - bootMs;
    if (this.#former && Math.abs(startedMs - this.#former.startedMs) <= SAME_START_MS) {
      const isAlone = atMs - this.#receivedMs >= SILENT_MS;
      if (!isAlone) {
        if (atMs - this.#former.untilMs >= LATE_MS) this.twoMs = atMs;
        return 'late';
      }
      this.#former = null;
      return this.#believe(bootMs, atMs);
    }
    if (bootMs + BACK_MS < this.#bootMs) {
      this.#former = { startedMs: this.#startedMs ?? startedMs, untilMs: atMs };
      this.#believe(bootMs, atMs);
      return 'start';
    }
    return bootMs < this.#bootMs ? 'late' : this.#believe(bootMs, atMs);
  }

  /**
   * Whether another vehicle started at the same time, within the delays of the links: merged, they would show no start.
   * Null where either start is unknown.
   */
  agreesWith(other: Starts): boolean | null {
    if (this.#startedMs === null || other.#startedMs === null) return null;
    return Math.abs(this.#startedMs - other.#startedMs) < BACK_MS;
  }

  /** Forgets earlier messages: the vehicle transmits from another address. */
  forget(): void {
    this.#bootMs = 0;
    this.#startedMs = null;
    this.#former = null;
  }

  #believe(bootMs: number, atMs: number): 'news' {
    this.#bootMs = bootMs;
    this.#receivedMs = atMs;
    this.#startedMs = atMs - bootMs;
    return 'news';
  }
}

/** Step back of a boot clock that counts as a start, ms; a message delayed on the way is no start. */
const BACK_MS = 5_000;
/** Tolerance within which messages that report the same start time have one sender, ms. */
const SAME_START_MS = 1_500;
/** Time for which messages sent before a start may still arrive, ms. */
const LATE_MS = 5_000;
/** Silence after which the believed sender is replaced by the other one, ms. */
const SILENT_MS = 3_000;

/**
 * Start time of the vehicle at one address, by its boot clock. A boot clock that steps back is a restart. A boot clock
 * that goes back and forth belongs to two vehicles; the one that started last is believed until it is silent.
 */
export class Starts {
  #bootMs = 0;
  #receivedMs = Number.NEGATIVE_INFINITY;
  /** Start time of the sender before the last restart, and the time of that restart. */
  #former: { startedMs: number; untilMs: number } | null = null;
  #startedMs: number | null = null;
  /** Last time at which messages of two vehicles arrived side by side, ms. */
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
   * Whether another vehicle started at the same time, within the delays of the links: their merged messages would show
   * no restart. Null where either start is unknown.
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

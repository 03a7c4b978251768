/**
 * Backward step of a boot clock that counts as a restart, ms. Smaller steps come from messages that were delayed on the
 * way.
 */
const BACK_MS = 5_000;
/** Tolerance within which messages with the same start time come from the same sender, ms. */
const SAME_START_MS = 1_500;
/** Time for which messages sent before a restart may still arrive, ms. */
const LATE_MS = 5_000;
/** Silence of the accepted sender after which the other of two alternating senders is accepted, ms. */
const SILENT_MS = 3_000;

/**
 * Detects restarts of the vehicle at one address by its boot clock. A boot clock that steps back is a restart. If it
 * alternates between two times, two vehicles transmit; the one that started last is accepted until it is silent.
 */
export class Starts {
  #bootMs = 0;
  #receivedMs = Number.NEGATIVE_INFINITY;
  /** Start time of the sender before the last restart, and the time of that restart, ms; null if there was none. */
  #former: { startedMs: number; untilMs: number } | null = null;
  #startedMs: number | null = null;
  /** Last time at which messages of two vehicles alternated, ms. */
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
   * Whether another vehicle started at the same time, within the delays of the links. If so, the messages of both
   * together show no restart. Null if either start is unknown.
   */
  agreesWith(other: Starts): boolean | null {
    if (this.#startedMs === null || other.#startedMs === null) return null;
    return Math.abs(this.#startedMs - other.#startedMs) < BACK_MS;
  }

  /** Drops the earlier boot times, because the vehicle transmits from another address. */
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

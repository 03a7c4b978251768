/** Shortest duration of a write that counts as slow, ms. A healthy memory card needs about 10 ms. */
const SLOW_MS = 1_000;
/**
 * Time for which a slow write is reported, ms. A limit is needed because without further writes the end of the fault
 * would never be noticed.
 */
const SLOW_FOR_MS = 60_000;

/** Condition of a disk, derived from the writes of a database. A full disk is not reported here, but by the history. */
export class DiskCondition {
  readonly #nowMs: () => number;
  #refusal: string | null = null;
  #slow: { atMs: number; tookMs: number } | null = null;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** True if the last write was refused. Only another write then shows whether the fault is over. */
  get isRefused(): boolean {
    return this.#refusal !== null;
  }

  /** Runs a write. A write that succeeds ends a refusal; if it was slow, this is recorded. */
  timed<T>(write: () => T): T {
    const beganMs = this.#nowMs();
    const result = write();
    const atMs = this.#nowMs();
    this.#refusal = null;
    if (atMs - beganMs >= SLOW_MS) this.#slow = { atMs, tookMs: atMs - beganMs };
    return result;
  }

  refused(sentence: string): void {
    this.#refusal = sentence;
  }

  /** Returns a sentence about the current fault; null without a fault. */
  trouble(): string | null {
    if (this.#refusal !== null) return `the disk refuses changes: ${this.#refusal}`;
    if (this.#slow === null || this.#nowMs() - this.#slow.atMs > SLOW_FOR_MS) return null;
    const tookS = (this.#slow.tookMs / 1_000).toFixed(1);
    return `the disk is slow: the last slow change took ${tookS} s, and received reports waited meanwhile`;
  }
}

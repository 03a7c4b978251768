/** Duration from which a write counts as slow, ms. A healthy card needs some ten. */
const SLOW_MS = 1_000;
/** Time for which a slow write is reported after it, ms: without changes nobody notices the end of the slowness. */
const SLOW_FOR_MS = 60_000;

/** Condition of a disk, as the writes of a database show it. A full disk is left out: the history reports it. */
export class DiskCondition {
  readonly #nowMs: () => number;
  #refusal: string | null = null;
  #slow: { atMs: number; tookMs: number } | null = null;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Whether the last write was refused, so that only another one shows whether the fault is over. */
  get isRefused(): boolean {
    return this.#refusal !== null;
  }

  /** Runs a write, and notes its duration. */
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

  /** Sentence about the present fault; null without one. */
  trouble(): string | null {
    if (this.#refusal !== null) return `the disk refuses changes: ${this.#refusal}`;
    if (this.#slow === null || this.#nowMs() - this.#slow.atMs > SLOW_FOR_MS) return null;
    const tookS = (this.#slow.tookMs / 1_000).toFixed(1);
    return `the disk is slow: the last slow change took ${tookS} s, and received reports waited meanwhile`;
  }
}

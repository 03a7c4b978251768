/**
 * When to flush: at once after a pause, then once a tick. The first change reaches the stream without waiting, a flood
 * of them costs one write a tick.
 */
export class TickScheduler {
  readonly #tickMs: number;
  readonly #nowMs: () => number;
  readonly #flush: () => void;
  #flushedMs = Number.NEGATIVE_INFINITY;
  #planned: { timer: NodeJS.Timeout | NodeJS.Immediate; atMs: number } | null = null;
  #stopped = false;

  constructor(tickMs: number, nowMs: () => number, flush: () => void) {
    this.#tickMs = tickMs;
    this.#nowMs = nowMs;
    this.#flush = flush;
  }

  /**
   * `due` says when something is due (the past is now), null where nothing is. It is not asked where the next flush
   * cannot come sooner anyway: to find it out takes a walk over all that changed.
   */
  plan(due: () => number | null): void {
    if (this.#stopped) return;
    const nowMs = this.#nowMs();
    const soonestMs = Math.max(this.#flushedMs + this.#tickMs, nowMs);
    if (this.#planned && this.#planned.atMs <= soonestMs) return;
    const dueMs = due();
    if (dueMs === null) return;
    const atMs = Math.max(dueMs, soonestMs);
    if (this.#planned && this.#planned.atMs <= atMs) return;
    this.#cancel();
    const run = (): void => {
      this.#planned = null;
      this.#flushedMs = this.#nowMs();
      this.#flush();
    };
    const waitMs = atMs - nowMs;
    this.#planned = { timer: waitMs < 1 ? setImmediate(run) : setTimeout(run, Math.ceil(waitMs)), atMs };
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  #cancel(): void {
    if (!this.#planned) return;
    clearTimeout(this.#planned.timer as NodeJS.Timeout);
    clearImmediate(this.#planned.timer as NodeJS.Immediate);
    this.#planned = null;
  }
}

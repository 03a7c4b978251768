type Wait = { test: () => boolean; deadlineMs: number; resolve: (met: boolean) => void };

/** Pending conditions on telemetry. Evaluated with every received message and on every tick. */
export class Waits {
  readonly #nowMs: () => number;
  #waiting: Wait[] = [];

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Resolves with true as soon as `test` returns true, or with false after `withinMs`. */
  until(test: () => boolean, withinMs: number): Promise<boolean> {
    if (test()) return Promise.resolve(true);
    return new Promise((resolve) => {
      this.#waiting.push({ test, deadlineMs: this.#nowMs() + withinMs, resolve });
    });
  }

  evaluate(): void {
    if (this.#waiting.length === 0) return;
    const nowMs = this.#nowMs();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wait of waiting) {
      if (wait.test()) wait.resolve(true);
      else if (nowMs >= wait.deadlineMs) wait.resolve(false);
      else this.#waiting.push(wait);
    }
  }
}

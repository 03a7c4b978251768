import type { Io } from './io.ts';

/** Minimum interval between two updates of the line on a terminal, ms. */
const REDRAW_MS = 200;
/** Limit of printed sentences about unusable parts. Further sentences are only counted. */
const MOST_PROBLEMS = 10;
const CLEAR_LINE = '\r\x1b[K';

/**
 * Shows the progress of long work: one line that is updated on a terminal, and sentences about parts of the input that
 * are left out.
 */
export class Progress {
  readonly #io: Pick<Io, 'err' | 'isTty' | 'draw'>;
  #drawnMs = Number.NEGATIVE_INFINITY;
  #problems = 0;

  constructor(io: Pick<Io, 'err' | 'isTty' | 'draw'>) {
    this.#io = io;
  }

  /** Number of all sentences about left-out parts of the input, printed or not. */
  get problems(): number {
    return this.#problems;
  }

  /** Updates the line. `text` is called only if the line is drawn now. */
  show(text: () => string): void {
    const nowMs = performance.now();
    if (!this.#io.isTty || nowMs - this.#drawnMs < REDRAW_MS) return;
    this.#drawnMs = nowMs;
    this.#draw(`\r${text()}\x1b[K`);
  }

  problem(sentence: string): void {
    this.#problems++;
    if (this.#problems > MOST_PROBLEMS) return;
    this.end();
    this.#io.err(
      this.#problems === MOST_PROBLEMS ? `${sentence} (further problems are counted, but not printed)` : sentence,
    );
  }

  /** Removes the line. Call this before something else is written. */
  end(): void {
    if (this.#drawnMs > Number.NEGATIVE_INFINITY) this.#draw(CLEAR_LINE);
    this.#drawnMs = Number.NEGATIVE_INFINITY;
  }

  #draw(text: string): void {
    if (this.#io.draw) this.#io.draw(text);
    else process.stderr.write(text);
  }
}

import type { Io } from './io.ts';

/** Terminals are redrawn no more often than this. */
const REDRAW_MS = 200;
/** Number of sentences about unusable parts that are printed; the rest are counted. */
const MOST_PROBLEMS = 10;
const CLEAR_LINE = '\r\x1b[K';

/** Progress of long work for a person: one line that is redrawn on a terminal, and sentences about parts left out. */
export class Progress {
  readonly #io: Pick<Io, 'err' | 'isTty' | 'draw'>;
  #drawnMs = Number.NEGATIVE_INFINITY;
  #problems = 0;

  constructor(io: Pick<Io, 'err' | 'isTty' | 'draw'>) {
    this.#io = io;
  }

  /** Number of sentences, printed or not. */
  get problems(): number {
    return this.#problems;
  }

  /** Draws the line; `text` is called only where it is drawn now. */
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
    this.#io.err(this.#problems === MOST_PROBLEMS ? `${sentence} (more such are counted, not shown)` : sentence);
  }

  /** Takes the line away, before something else is written. */
  end(): void {
    if (this.#drawnMs > Number.NEGATIVE_INFINITY) this.#draw(CLEAR_LINE);
    this.#drawnMs = Number.NEGATIVE_INFINITY;
  }

  #draw(text: string): void {
    if (this.#io.draw) this.#io.draw(text);
    else process.stderr.write(text);
  }
}

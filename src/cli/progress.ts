import type { Io } from './io.ts';

const everyMs = 200;

/** A line that a person watches while something takes long; nothing where nobody does. */
export class Progress {
  readonly #io: Io;
  #toldMs = 0;
  #told = false;

  constructor(io: Io) {
    this.#io = io;
  }

  tell(text: string): void {
    const now = performance.now();
    if (!this.#io.isTty || now - this.#toldMs < everyMs) return;
    this.#toldMs = now;
    this.#told = true;
    process.stderr.write(`\r\u001b[K${text}`);
  }

  /** Takes the line away. */
  end(): void {
    if (this.#told) process.stderr.write('\r\u001b[K');
  }
}

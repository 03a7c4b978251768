import type { PeerStatement } from './kinds.ts';

/** Time for which a statement is shown as the last error of its outlet, ms. */
const SHOWN_MS = 60_000;

/** Statements of the peers of one outlet: the number of refusals, the last refusal, and the statement to show. */
export class PeerStatements {
  #refusals = 0;
  #lastRefusal: string | null = null;
  #shown: { text: string; atMs: number } | null = null;

  get refusals(): number {
    return this.#refusals;
  }

  get lastRefusal(): string | null {
    return this.#lastRefusal;
  }

  /** Processes statements. Returns the answers among them, which the caller must log. */
  take(statements: readonly PeerStatement[], nowMs: number): string[] {
    for (const { kind, text } of statements) {
      if (kind !== 'answer') this.#shown = { text, atMs: nowMs };
      if (kind === 'refusal') this.refused(text);
    }
    return statements.flatMap(({ kind, text }) => (kind === 'answer' ? [text] : []));
  }

  refused(text: string): void {
    this.#refusals++;
    this.#lastRefusal = text;
  }

  /** Returns the last refusal or fault while it is less than a minute old; else null. */
  shown(nowMs: number): string | null {
    return this.#shown !== null && nowMs - this.#shown.atMs < SHOWN_MS ? this.#shown.text : null;
  }
}

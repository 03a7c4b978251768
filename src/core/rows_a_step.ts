/** A look of a radar moves everything at once: of more rows than this some wait. */
const MANY = 300;
/** So many, or a quarter of them where that is more, are told in a step: nothing waits longer than for the three that follow. */
const MOST_A_STEP = 250;
const STEPS = 4;

/** How many of the tracks that moved are told in one step, so that none takes long. */
export class RowsAStep {
  #waiting = 0;
  #aStep = MOST_A_STEP;
  #moved = 0;

  /** Whether some were left for the steps that follow. */
  get someWait(): boolean {
    return this.#waiting > 0;
  }

  /** How many were not waiting before they moved, the last time. */
  get moved(): number {
    return this.#moved;
  }

  /** How many of `due` are told now. */
  of(due: number): number {
    this.#moved = Math.max(0, due - this.#waiting);
    if (!this.someWait && due <= MANY) return due;
    this.#aStep = Math.max(this.someWait ? this.#aStep : MOST_A_STEP, Math.ceil(due / STEPS));
    return this.#aStep;
  }

  /** So many are left of them. */
  left(count: number): void {
    this.#waiting = count;
  }
}

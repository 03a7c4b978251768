/** Greatest number of rows in one step, since a radar scan moves all tracks at once. Further rows wait. */
const MANY = 300;
/**
 * Number of rows in one step: this many, or a quarter of the due rows where that is more. No row waits longer than the three
 * steps that follow.
 */
const MOST_A_STEP = 250;
const STEPS = 4;

/** Bound of the rows that one step reports, so that no step takes long. */
export class RowsAStep {
  #waiting = 0;
  #aStep = MOST_A_STEP;
  #moved = 0;

  /** Whether rows were left for the steps that follow. */
  get someWait(): boolean {
    return this.#waiting > 0;
  }

  /** Number of tracks in the last step that moved and were not waiting before. */
  get moved(): number {
    return this.#moved;
  }

  /** Number of the `due` tracks that are reported now. */
  of(due: number): number {
    this.#moved = Math.max(0, due - this.#waiting);
    if (!this.someWait && due <= MANY) return due;
    this.#aStep = Math.max(this.someWait ? this.#aStep : MOST_A_STEP, Math.ceil(due / STEPS));
    return this.#aStep;
  }

  /** Notes the number of rows that were left out. */
  left(count: number): void {
    this.#waiting = count;
  }
}

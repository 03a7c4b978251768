/**
 * Up to this number of due rows, one step reports all of them, unless older rows wait. More rows, as after a radar
 * scan, which moves all tracks, are spread over several steps.
 */
const MANY = 300;
/**
 * While rows are spread, each step reports `MOST_A_STEP` rows, or the number of due rows divided by `STEPS` if that is
 * more. A row thus waits for three further steps at most.
 */
const MOST_A_STEP = 250;
const STEPS = 4;

/** Limits the rows that one step reports, so that no step takes long. */
export class RowsAStep {
  #waiting = 0;
  #aStep = MOST_A_STEP;
  #moved = 0;

  /** Whether earlier steps left rows that still wait. */
  get someWait(): boolean {
    return this.#waiting > 0;
  }

  /** Number of tracks that became due in the last step, without those that already waited. */
  get moved(): number {
    return this.#moved;
  }

  /** Returns how many of the `due` tracks the present step reports. */
  of(due: number): number {
    this.#moved = Math.max(0, due - this.#waiting);
    if (!this.someWait && due <= MANY) return due;
    this.#aStep = Math.max(this.someWait ? this.#aStep : MOST_A_STEP, Math.ceil(due / STEPS));
    return this.#aStep;
  }

  /** Records the number of rows that the present step left out. */
  left(count: number): void {
    this.#waiting = count;
  }
}

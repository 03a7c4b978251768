const CELL_M = 256;

/** Which tracks may explain a plot at a place: each is entered in every square that its gate touches. */
export class Cells {
  readonly #width: number;
  readonly #halfM: number;
  /** Where the entries of each cell begin; one more at the end. */
  readonly #starts: Int32Array;
  #entries = new Int32Array(1024);
  readonly #boxes: Int32Array;

  /** Squares along the ground as far as `reachM` from the middle, for tracks in slots below `slots`. */
  constructor(reachM: number, slots: number) {
    this.#width = 2 * Math.ceil(reachM / CELL_M);
    this.#halfM = (this.#width / 2) * CELL_M;
    this.#starts = new Int32Array(this.#width * this.#width + 1);
    this.#boxes = new Int32Array(slots * 4);
  }

  /** Enters the first `count` of `slots`, each at its place (`places`, 9 numbers a slot) with its reach in m. */
  fill(slots: Int32Array, count: number, places: Float64Array, reaches: Float64Array): void {
    this.#starts.fill(0);
    for (let i = 0; i < count; i++) {
      const slot = slots[i] as number;
      const reach = reaches[slot] as number;
      const east = places[9 * slot] as number;
      const north = places[9 * slot + 1] as number;
      this.#boxes[4 * i] = this.#index(east - reach);
      this.#boxes[4 * i + 1] = this.#index(east + reach);
      this.#boxes[4 * i + 2] = this.#index(north - reach);
      this.#boxes[4 * i + 3] = this.#index(north + reach);
      this.#enter(i, -1);
    }
    // A counting sort: how many each cell holds, where they end, and then each put before the one entered last.
    let sum = 0;
    for (let cell = 0; cell < this.#starts.length; cell++) {
      sum += this.#starts[cell] as number;
      this.#starts[cell] = sum;
    }
    if (sum > this.#entries.length) this.#entries = new Int32Array(2 * sum);
    for (let i = count - 1; i >= 0; i--) this.#enter(i, slots[i] as number);
  }

  cellAt(east: number, north: number): number {
    return this.#index(north) * this.#width + this.#index(east);
  }

  start(cell: number): number {
    return this.#starts[cell] as number;
  }

  entry(i: number): number {
    return this.#entries[i] as number;
  }

  #index(metres: number): number {
    return Math.min(Math.max(Math.floor((metres + this.#halfM) / CELL_M), 0), this.#width - 1);
  }

  /** Counts the `i`th where `slot` is −1, else enters it. */
  #enter(i: number, slot: number): void {
    const right = this.#boxes[4 * i + 1] as number;
    const top = this.#boxes[4 * i + 3] as number;
    for (let y = this.#boxes[4 * i + 2] as number; y <= top; y++) {
      for (let x = this.#boxes[4 * i] as number; x <= right; x++) {
        const cell = y * this.#width + x;
        const held = this.#starts[cell] as number;
        this.#starts[cell] = slot < 0 ? held + 1 : held - 1;
        if (slot >= 0) this.#entries[held - 1] = slot;
      }
    }
  }
}

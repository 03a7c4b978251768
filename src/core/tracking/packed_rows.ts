/** Growing buffer of rows of numbers. Taking the rows copies them into one array and empties the buffer. */
export class PackedRows {
  readonly #width: number;
  #values: Float64Array;
  #length = 0;

  constructor(width: number) {
    this.#width = width;
    this.#values = new Float64Array(64 * width);
  }

  /** Adds one row and returns the index in `values` at which it begins. */
  add(): number {
    const at = this.#length;
    this.#length += this.#width;
    if (this.#length > this.#values.length) {
      const grown = new Float64Array(2 * this.#values.length);
      grown.set(this.#values);
      this.#values = grown;
    }
    return at;
  }

  get values(): Float64Array {
    return this.#values;
  }

  /** Returns a copy of all rows added since the last call, and empties the buffer. */
  take(): Float64Array {
    const taken = this.#values.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }
}

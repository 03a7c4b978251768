/**
 * Ring buffer of rows of numbers, stored in the shared array `values` from index `from` on. When full, it drops the
 * oldest row.
 */
export class Lately {
  readonly #width: number;
  readonly #most: number;
  readonly #values: Float64Array;
  readonly #from: number;
  #first = 0;
  length = 0;

  constructor(width: number, most: number, values: Float64Array, from: number) {
    this.#width = width;
    this.#most = most;
    this.#values = values;
    this.#from = from;
  }

  /** Appends a row. The caller then sets its numbers with `set`. */
  add(): void {
    if (this.length === this.#most) this.dropFirst();
    this.length++;
  }

  dropFirst(): void {
    this.#first = this.#first + 1 === this.#most ? 0 : this.#first + 1;
    this.length--;
  }

  clear(): void {
    this.length = 0;
  }

  /** Returns a number of row `i`; row 0 is the oldest. */
  at(i: number, column: number): number {
    return this.#values[this.#begin(i) + column] ?? Number.NaN;
  }

  /** Returns a number of the newest row; NaN if there is no row. */
  last(column: number): number {
    return this.length === 0 ? Number.NaN : this.at(this.length - 1, column);
  }

  /** Sets a number of the newest row. */
  set(column: number, value: number): void {
    this.#values[this.#begin(this.length - 1) + column] = value;
  }

  #begin(i: number): number {
    const at = this.#first + i;
    return this.#from + (at < this.#most ? at : at - this.#most) * this.#width;
  }
}

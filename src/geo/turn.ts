/** Six entries of a symmetric matrix: EE, EN, EU, NN, NU, UU. */
export type Covariance = readonly [number, number, number, number, number, number];

/** A rotation from the local axes (east, north, up) at one position into the local axes at another. */
export class Turn {
  /** Row-major. */
  readonly #matrix: Float64Array;

  constructor(matrix: Float64Array) {
    this.#matrix = matrix;
  }

  vector(east: number, north: number, up: number): { east: number; north: number; up: number } {
    const along = (row: number): number => this.#at(row, 0) * east + this.#at(row, 1) * north + this.#at(row, 2) * up;
    return { east: along(0), north: along(1), up: along(2) };
  }

  covariance([ee, en, eu, nn, nu, uu]: Covariance): Covariance {
    // Computes R · P · Rᵀ, where each column of P · Rᵀ is P times a row of R.
    const column = (row: number): readonly [number, number, number] => {
      const [e, n, u] = [this.#at(row, 0), this.#at(row, 1), this.#at(row, 2)];
      return [ee * e + en * n + eu * u, en * e + nn * n + nu * u, eu * e + nu * n + uu * u];
    };
    const [east, north, up] = [this.vector(...column(0)), this.vector(...column(1)), this.vector(...column(2))];
    return [east.east, east.north, east.up, north.north, north.up, up.up];
  }

  #at(row: number, column: number): number {
    return this.#matrix[row * 3 + column] ?? 0;
  }
}

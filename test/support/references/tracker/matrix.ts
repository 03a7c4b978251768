/** Rows and columns of a symmetric 3×3 in six numbers (00, 01, 02, 11, 12, 22), and where each of nine lies among them. */
export const ROW = Uint8Array.of(0, 0, 0, 1, 1, 2);
export const COLUMN = Uint8Array.of(0, 1, 2, 1, 2, 2);
export const SIX_OF_NINE = Uint8Array.of(0, 1, 2, 1, 3, 4, 2, 4, 5);

/** A number of an array that is known to be there. */
export function at(values: Float64Array, i: number): number {
  return values[i] as number;
}

/** Six numbers from `from` on as nine, row by row. */
export function unfold(six: Float64Array, from: number, nine: Float64Array): void {
  for (let k = 0; k < 9; k++) nine[k] = at(six, from + (SIX_OF_NINE[k] as number));
}

/** a · b, each nine numbers. */
export function multiply(a: Float64Array, b: Float64Array, out: Float64Array): void {
  for (let i = 0; i < 9; i += 3) {
    const x = at(a, i);
    const y = at(a, i + 1);
    const z = at(a, i + 2);
    out[i] = x * at(b, 0) + y * at(b, 3) + z * at(b, 6);
    out[i + 1] = x * at(b, 1) + y * at(b, 4) + z * at(b, 7);
    out[i + 2] = x * at(b, 2) + y * at(b, 5) + z * at(b, 8);
  }
}

/** Writes the inverse of six numbers and returns the logarithm of the determinant; NaN where there is none. */
export function invert(s: Float64Array, inverse: Float64Array): number {
  const s0 = at(s, 0);
  const s1 = at(s, 1);
  const s2 = at(s, 2);
  const s3 = at(s, 3);
  const s4 = at(s, 4);
  const s5 = at(s, 5);
  const c00 = s3 * s5 - s4 * s4;
  const c01 = s2 * s4 - s1 * s5;
  const c02 = s1 * s4 - s2 * s3;
  const det = s0 * c00 + s1 * c01 + s2 * c02;
  if (!(det > 0) || !(s0 > 0) || !(s0 * s3 - s1 * s1 > 0)) return Number.NaN;
  inverse[0] = c00 / det;
  inverse[1] = c01 / det;
  inverse[2] = c02 / det;
  inverse[3] = (s0 * s5 - s2 * s2) / det;
  inverse[4] = (s1 * s2 - s0 * s4) / det;
  inverse[5] = (s0 * s3 - s1 * s1) / det;
  return Math.log(det);
}

/** yᵀ · s · y for six numbers. */
export function quadratic(s: Float64Array, x: number, y: number, z: number): number {
  return (
    at(s, 0) * x * x +
    at(s, 3) * y * y +
    at(s, 5) * z * z +
    2 * (at(s, 1) * x * y + at(s, 2) * x * z + at(s, 4) * y * z)
  );
}

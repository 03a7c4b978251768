/** Dense matrices, one obvious loop after another. */
export type Matrix = readonly (readonly number[])[];

export const at = (list: readonly number[] | undefined, i: number): number => list?.[i] ?? Number.NaN;
export const cell = (m: Matrix, i: number, j: number): number => at(m[i], j);

export function built(rows: number, columns: number, value: (i: number, j: number) => number): Matrix {
  return Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (_, j) => value(i, j)));
}

export const identity = (n: number): Matrix => built(n, n, (i, j) => (i === j ? 1 : 0));
export const diagonal = (values: readonly number[]): Matrix =>
  built(values.length, values.length, (i, j) => (i === j ? at(values, i) : 0));
export const column = (values: readonly number[]): Matrix => values.map((v) => [v]);
export const listed = (m: Matrix): number[] => m.flatMap((row) => [...row]);
export const block = (m: Matrix, row: number, col: number, rows: number, columns: number): Matrix =>
  built(rows, columns, (i, j) => cell(m, row + i, col + j));

export const transposed = (m: Matrix): Matrix => built(m[0]?.length ?? 0, m.length, (i, j) => cell(m, j, i));
export const plus = (a: Matrix, b: Matrix, scale = 1): Matrix =>
  a.map((row, i) => row.map((v, j) => v + scale * cell(b, i, j)));
export const scaled = (m: Matrix, by: number): Matrix => m.map((row) => row.map((v) => v * by));

export function times(a: Matrix, b: Matrix, ...more: Matrix[]): Matrix {
  const product = built(a.length, b[0]?.length ?? 0, (i, j) =>
    b.reduce((sum, _, k) => sum + cell(a, i, k) * cell(b, k, j), 0),
  );
  const [next, ...rest] = more;
  return next === undefined ? product : times(product, next, ...rest);
}

/** Gauss and Jordan with pivoting: the inverse and the determinant. */
export function solved(m: Matrix): { inverse: Matrix; determinant: number } {
  const n = m.length;
  const rows = m.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
  let determinant = 1;
  for (let c = 0; c < n; c++) {
    let pivot = c;
    for (let r = c + 1; r < n; r++) if (Math.abs(cell(rows, r, c)) > Math.abs(cell(rows, pivot, c))) pivot = r;
    const [up, down] = [rows[pivot] ?? [], rows[c] ?? []];
    rows[c] = up;
    rows[pivot] = down;
    const head = at(up, c);
    determinant *= pivot === c ? head : -head;
    rows[c] = up.map((v) => v / head);
    for (let r = 0; r < n; r++) {
      if (r === c) continue;
      const factor = cell(rows, r, c);
      rows[r] = (rows[r] ?? []).map((v, j) => v - factor * cell(rows, c, j));
    }
  }
  return { inverse: rows.map((row) => row.slice(n)), determinant };
}

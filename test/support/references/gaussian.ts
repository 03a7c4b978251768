import {
  at,
  block,
  built,
  cell,
  column,
  identity,
  listed,
  type Matrix,
  plus,
  solved,
  times,
  transposed,
} from './matrix.ts';

/** Position and velocity: a mean of six, a covariance of six by six. */
export type Gaussian = { x: readonly number[]; p: Matrix };

/** The upper triangle of a symmetric 3×3, row by row. */
export const packed = (m: Matrix): number[] =>
  [0, 1, 2].flatMap((i) => [0, 1, 2].filter((j) => j >= i).map((j) => cell(m, i, j)));
export function unpacked(list: readonly number[]): Matrix {
  const [a, b, c, d, e, f] = [0, 1, 2, 3, 4, 5].map((i) => at(list, i)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return [
    [a, b, c],
    [b, d, e],
    [c, e, f],
  ];
}

/** The 27 numbers that the native code keeps: p, v, pp, pv, vv. */
export function numbersOf(g: Gaussian): number[] {
  const [pp, pv, vv] = [block(g.p, 0, 0, 3, 3), block(g.p, 0, 3, 3, 3), block(g.p, 3, 3, 3, 3)];
  return [...g.x, ...packed(pp), ...listed(pv), ...packed(vv)];
}
export function gaussianOf(list: readonly number[]): Gaussian {
  const [pp, vv] = [unpacked(list.slice(6, 12)), unpacked(list.slice(21, 27))];
  const pv = built(3, 3, (i, j) => at(list, 12 + 3 * i + j));
  const p = built(6, 6, (i, j) =>
    i < 3 ? (j < 3 ? cell(pp, i, j) : cell(pv, i, j - 3)) : j < 3 ? cell(pv, j, i - 3) : cell(vv, i - 3, j - 3),
  );
  return { x: list.slice(0, 6), p };
}

/**
 * Constant velocity with white-noise acceleration (Bar-Shalom, Li, Kirubarajan 2001, 6.2.2): F P Fᵀ + Q. The spectral
 * density is `q` across `up` and `climb` times that along it.
 */
export function predicted(g: Gaussian, dt: number, q: number, up: readonly number[], climb = 0.25): Gaussian {
  const f = built(6, 6, (i, j) => (i === j ? 1 : j === i + 3 ? dt : 0));
  const along = times(column(up), [up]);
  const density = plus(
    built(3, 3, (i, j) => q * ((i === j ? 1 : 0) - cell(along, i, j))),
    along,
    q * climb,
  );
  const share = [
    [dt ** 3 / 3, dt ** 2 / 2],
    [dt ** 2 / 2, dt],
  ];
  const noise = built(6, 6, (i, j) => cell(share, i < 3 ? 0 : 1, j < 3 ? 0 : 1) * cell(density, i % 3, j % 3));
  return { x: listed(times(f, column(g.x))), p: plus(times(f, g.p, transposed(f)), noise) };
}

/** The Kalman update in Joseph's form for a residual `y` of measurements `h`, and its log-likelihood. */
export function updated(g: Gaussian, h: Matrix, y: readonly number[], r: Matrix): Gaussian & { logLikelihood: number } {
  const { inverse, determinant } = solved(plus(times(h, g.p, transposed(h)), r));
  const k = times(g.p, transposed(h), inverse);
  const rest = plus(identity(6), times(k, h), -1);
  const p = plus(times(rest, g.p, transposed(rest)), times(k, r, transposed(k)));
  const distance = cell(times([y], inverse, column(y)), 0, 0);
  const logLikelihood = -(distance + Math.log(determinant) + y.length * Math.log(2 * Math.PI)) / 2;
  return { x: g.x.map((v, i) => v + cell(times(k, column(y)), i, 0)), p, logLikelihood };
}

/** Rows of the identity: what measures the position (from 0) or the velocity (from 3). */
export const threeFrom = (first: number): Matrix => identity(6).slice(first, first + 3);

/** The moments of a mixture, by their definition. */
export function mixture(parts: readonly { weight: number; g: Gaussian }[]): Gaussian {
  const x = built(1, 6, (_, i) => parts.reduce((sum, { weight, g }) => sum + weight * at(g.x, i), 0))[0] ?? [];
  const p = built(6, 6, (i, j) =>
    parts.reduce(
      (sum, { weight, g }) => sum + weight * (cell(g.p, i, j) + (at(g.x, i) - at(x, i)) * (at(g.x, j) - at(x, j))),
      0,
    ),
  );
  return { x, p };
}

/** How far two states lie apart: means against the deviations and lengths, covariances against √(Pᵢᵢ Pⱼⱼ). */
export function apart(a: Gaussian, b: Gaussian): number {
  const sd = b.x.map((_, i) => Math.sqrt(cell(b.p, i, i)));
  const length = (from: number) => Math.hypot(...b.x.slice(from, from + 3));
  const means = b.x.map((v, i) => Math.abs(v - at(a.x, i)) / Math.max(at(sd, i), length(i < 3 ? 0 : 3)));
  const spread = listed(built(6, 6, (i, j) => Math.abs(cell(a.p, i, j) - cell(b.p, i, j)) / (at(sd, i) * at(sd, j))));
  const worst = Math.max(...means, ...spread);
  return Number.isNaN(worst) ? Number.POSITIVE_INFINITY : worst;
}

export const positionSpread = (g: Gaussian): Matrix => block(g.p, 0, 0, 3, 3);

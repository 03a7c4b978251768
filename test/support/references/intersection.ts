import type { Gaussian } from './gaussian.ts';
import { at, built, cell, column, listed, type Matrix, plus, scaled, solved, times } from './matrix.ts';

/** A report of a place and, where `moving`, of a velocity. */
export type Report = { moving: boolean; z: readonly number[]; r: Matrix; v: readonly number[]; rv: Matrix };

/** Information of a report over position and velocity. */
export function informationOf({ moving, r, rv }: Report): Matrix {
  const [place, velocity] = [solved(r).inverse, solved(rv).inverse];
  return built(6, 6, (i, j) => {
    if (i < 3 && j < 3) return cell(place, i, j);
    return moving && i > 2 && j > 2 ? cell(velocity, i - 3, j - 3) : 0;
  });
}

/** Covariance intersection (Julier and Uhlmann 1997) in information form, with `kept` of the state's information. */
export function intersected(g: Gaussian, report: Report, kept: number): Gaussian {
  const [own, other] = [solved(g.p).inverse, informationOf(report)];
  const p = solved(plus(scaled(own, kept), scaled(other, 1 - kept))).inverse;
  const said = [...report.z, ...report.v];
  // Against the state's mean, since the means are large and nearly equal.
  const off = column(said.map((value, i) => value - at(g.x, i)));
  const moved = listed(times(p, scaled(other, 1 - kept), off));
  return { x: g.x.map((value, i) => value + at(moved, i)), p };
}

/** Logarithm of the determinant of the information that `kept` leaves: of the place alone where the report is moving. */
export function logInformation(g: Gaussian, report: Report, kept: number): number {
  const place = built(3, 3, (i, j) => cell(g.p, i, j));
  const [own, other] = report.moving
    ? [solved(place).inverse, solved(report.r).inverse]
    : [solved(g.p).inverse, informationOf(report)];
  return Math.log(solved(plus(scaled(own, kept), scaled(other, 1 - kept))).determinant);
}

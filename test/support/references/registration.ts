import { degree } from './earth.ts';
import {
  at,
  cell,
  column,
  diagonal,
  identity,
  listed,
  type Matrix,
  plus,
  solved,
  times,
  transposed,
} from './matrix.ts';

/** How far one plot was beside, rad and m, and its variances. */
export type Residual = readonly [da: number, dr: number, va: number, vr: number];
export type Offset = { x: readonly number[]; p: Matrix; plots: number };

/** A Kalman filter over a constant azimuth and range offset, fed directly; what lies beyond five sigma is left out. */
export function learnt(residuals: readonly Residual[], set: (name: string) => number): Offset {
  const begin = diagonal([(set('bias_azimuth_deg') * degree) ** 2, set('bias_range_m') ** 2]);
  let offset: Offset = { x: [0, 0], p: begin, plots: 0 };
  for (const [da, dr, va, vr] of residuals) {
    const r = diagonal([va * set('bias_caution'), vr * set('bias_caution')]);
    const y = [da - at(offset.x, 0), dr - at(offset.x, 1)];
    const s = plus(offset.p, r);
    if (y.some((v, i) => v ** 2 / cell(s, i, i) > 25)) continue;
    const k = times(offset.p, solved(s).inverse);
    const rest = plus(identity(2), k, -1);
    const p = plus(times(rest, offset.p, transposed(rest)), times(k, r, transposed(k)));
    offset = { x: listed(plus(column(offset.x), times(k, column(y)))), p, plots: offset.plots + 1 };
  }
  return offset;
}

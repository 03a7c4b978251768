import { at, COLUMN, invert, multiply, ROW, SIX_OF_NINE, unfold } from './matrix.ts';

/** Where the blocks of one Gaussian over position and velocity lie in its numbers; see native/tracker/gaussian.h. */
export const P = 0;
export const V = 3;
export const PP = 6;
export const PV = 12;
export const VV = 21;
export const GAUSSIAN = 27;

export const LOG_TWO_PI = Math.log(2 * Math.PI);
export const EARTH_RADIUS_M = 6_371_000;

/** up·upᵀ where the aircraft is, set by `turnNoise` for the predictions that follow. */
const along = new Float64Array(6);
const shape = new Float64Array(6);

/** Lets the noise of what is predicted next know the local vertical of the Gaussian at `g`. */
export function turnNoise(values: Float64Array, g: number): void {
  const x = at(values, g);
  const y = at(values, g + 1);
  const z = at(values, g + 2) + EARTH_RADIUS_M;
  const square = x * x + y * y + z * z;
  along[0] = (x * x) / square;
  along[1] = (x * y) / square;
  along[2] = (x * z) / square;
  along[3] = (y * y) / square;
  along[4] = (y * z) / square;
  along[5] = (z * z) / square;
}

/** Moves the Gaussian at `g` on by `dt` s with noise of density `q`, m²/s³, of which the share `climb` acts upwards. */
export function predict(values: Float64Array, g: number, dt: number, q: number, climb: number): void {
  for (let k = 0; k < 6; k++) shape[k] = (ROW[k] === COLUMN[k] ? 1 : 0) - (1 - climb) * at(along, k);
  const q1 = q * dt;
  const q2 = (q1 * dt) / 2;
  const q3 = (q1 * dt * dt) / 3;
  const dt2 = dt * dt;
  for (let i = 0; i < 3; i++) values[g + P + i] = at(values, g + P + i) + at(values, g + V + i) * dt;
  for (let k = 0; k < 6; k++) {
    const i = ROW[k] as number;
    const j = COLUMN[k] as number;
    const crossed = at(values, g + PV + 3 * i + j) + at(values, g + PV + 3 * j + i);
    const pp = g + PP + k;
    values[pp] = at(values, pp) + (dt * crossed + dt2 * at(values, g + VV + k) + q3 * at(shape, k));
  }
  for (let c = 0; c < 9; c++) {
    const k = SIX_OF_NINE[c] as number;
    values[g + PV + c] = at(values, g + PV + c) + (dt * at(values, g + VV + k) + q2 * at(shape, k));
  }
  for (let k = 0; k < 6; k++) values[g + VV + k] = at(values, g + VV + k) + q1 * at(shape, k);
}

/** Blends the Gaussians at `a` (with weight `w`) and `b` of `values` into the one at `o` of `out`. */
export function blend(values: Float64Array, a: number, b: number, w: number, out: Float64Array, o: number): void {
  const u = 1 - w;
  const spread = w * u;
  for (let i = 0; i < 6; i++) out[o + i] = at(values, b + i) + w * (at(values, a + i) - at(values, b + i));
  for (let k = 0; k < 6; k++) {
    const i = ROW[k] as number;
    const j = COLUMN[k] as number;
    const dpi = at(values, a + i) - at(values, b + i);
    const dpj = at(values, a + j) - at(values, b + j);
    const dvi = at(values, a + V + i) - at(values, b + V + i);
    const dvj = at(values, a + V + j) - at(values, b + V + j);
    out[o + PP + k] = w * at(values, a + PP + k) + u * at(values, b + PP + k) + spread * dpi * dpj;
    out[o + VV + k] = w * at(values, a + VV + k) + u * at(values, b + VV + k) + spread * dvi * dvj;
  }
  for (let i = 0, c = 0; i < 3; i++) {
    const dp = at(values, a + i) - at(values, b + i);
    for (let j = 0; j < 3; j++, c++) {
      const dv = at(values, a + V + j) - at(values, b + V + j);
      out[o + PV + c] = w * at(values, a + PV + c) + u * at(values, b + PV + c) + spread * dp * dv;
    }
  }
}

/** Scratch of an update: sixes, and nines row by row. */
const sum = new Float64Array(6);
const inverse = new Float64Array(6);
const noise = new Float64Array(9);
const weight = new Float64Array(9);
const pp = new Float64Array(9);
const cross = new Float64Array(9);
const turned = new Float64Array(9);
const held = new Float64Array(9);
const kept = new Float64Array(9);

/** Takes in the place at `m` of `places` with the covariance at `n` of `spreads`; returns its log-likelihood, NaN if none. */
export function update(
  values: Float64Array,
  g: number,
  places: Float64Array,
  m: number,
  spreads: Float64Array,
  n: number,
): number {
  for (let k = 0; k < 6; k++) sum[k] = at(values, g + PP + k) + at(spreads, n + k);
  const logDet = invert(sum, inverse);
  if (Number.isNaN(logDet)) return logDet;
  const y0 = at(places, m) - at(values, g);
  const y1 = at(places, m + 1) - at(values, g + 1);
  const y2 = at(places, m + 2) - at(values, g + 2);
  unfold(spreads, n, noise);
  unfold(inverse, 0, weight);
  unfold(values, g + PP, pp);
  for (let c = 0; c < 9; c++) cross[c] = at(values, g + PV + c);
  const w0 = at(weight, 0) * y0 + at(weight, 1) * y1 + at(weight, 2) * y2;
  const w1 = at(weight, 3) * y0 + at(weight, 4) * y1 + at(weight, 5) * y2;
  const w2 = at(weight, 6) * y0 + at(weight, 7) * y1 + at(weight, 8) * y2;
  for (let i = 0; i < 3; i++) {
    values[g + i] = at(values, g + i) + at(pp, 3 * i) * w0 + at(pp, 3 * i + 1) * w1 + at(pp, 3 * i + 2) * w2;
    values[g + V + i] = at(values, g + V + i) + at(cross, i) * w0 + at(cross, 3 + i) * w1 + at(cross, 6 + i) * w2;
  }
  multiply(weight, cross, turned);
  for (let k = 0; k < 6; k++) {
    const i = ROW[k] as number;
    const j = COLUMN[k] as number;
    const less =
      at(cross, i) * at(turned, j) + at(cross, 3 + i) * at(turned, 3 + j) + at(cross, 6 + i) * at(turned, 6 + j);
    values[g + VV + k] = at(values, g + VV + k) - less;
  }
  // M = r·W keeps what is left of position and of how it goes with velocity: nothing nearly the same is subtracted.
  multiply(noise, weight, held);
  multiply(held, pp, kept);
  for (let k = 0; k < 6; k++) {
    const i = ROW[k] as number;
    const j = COLUMN[k] as number;
    values[g + PP + k] = (at(kept, 3 * i + j) + at(kept, 3 * j + i)) / 2;
  }
  multiply(noise, turned, kept);
  for (let c = 0; c < 9; c++) values[g + PV + c] = at(kept, c);
  return -0.5 * (y0 * w0 + y1 * w1 + y2 * w2 + logDet + 3 * LOG_TWO_PI);
}

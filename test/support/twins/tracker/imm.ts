import { blend, GAUSSIAN, predict, shapeNoise, update } from './gaussian.ts';
import { at } from './matrix.ts';
import { settings } from './settings.ts';

/** Two models, calm and wild, and the odds of the first; see native/tracker/imm.h. */
export const WILD = GAUSSIAN;
export const CALM_ODDS = 2 * GAUSSIAN;
export const IMM = 2 * GAUSSIAN + 2;

/** Writes the state at `a` of `from` as of `dt` s later to `b` of `to`. */
export function predictImm(from: Float64Array, a: number, dt: number, to: Float64Array, b: number): void {
  const odds = at(from, a + CALM_ODDS);
  const leaveCalm = (1 - Math.exp(-dt / settings.calmS)) * (1 - settings.calmOdds);
  const leaveWild = (1 - Math.exp(-dt / settings.wildS)) * settings.calmOdds;
  const staying = odds * (1 - leaveCalm);
  const calm = staying + (1 - odds) * leaveWild;
  blend(from, a, a + WILD, staying / calm, to, b);
  blend(from, a, a + WILD, (odds * leaveCalm) / (1 - calm), to, b + WILD);
  shapeNoise(from, a);
  predict(to, b, dt, settings.qCalm);
  predict(to, b + WILD, dt, settings.qWild);
  to[b + CALM_ODDS] = calm;
}

/** Takes in a place and shifts the odds; false where the place cannot be of this state. */
export function updateImm(
  imm: Float64Array,
  k: number,
  places: Float64Array,
  m: number,
  spreads: Float64Array,
  n: number,
): boolean {
  const calm = update(imm, k, places, m, spreads, n);
  const wild = update(imm, k + WILD, places, m, spreads, n);
  if (Number.isNaN(calm + wild)) return false;
  const top = Math.max(calm, wild);
  const a = at(imm, k + CALM_ODDS) * Math.exp(calm - top);
  const b = (1 - at(imm, k + CALM_ODDS)) * Math.exp(wild - top);
  imm[k + CALM_ODDS] = Math.min(Math.max(a / (a + b), 0.001), 0.999);
  return true;
}

/** Both models together. */
export function combined(imm: Float64Array, k: number, out: Float64Array, o: number): void {
  blend(imm, k, k + WILD, at(imm, k + CALM_ODDS), out, o);
}

import { blend, GAUSSIAN, predict, shapeNoise, update } from './gaussian.ts';
import { at } from './matrix.ts';
import { settings } from './settings.ts';

/** Two models, calm and wild, the odds of the first, and those by which one is drawn anew; see native/tracker/imm.h. */
export const WILD = GAUSSIAN;
export const CALM_ODDS = 2 * GAUSSIAN;
export const HABIT = CALM_ODDS + 1;
export const IMM = 2 * GAUSSIAN + 2;

/** Writes the state at `a` of `from` as of `dt` s later to `b` of `to`. */
export function predictImm(from: Float64Array, a: number, dt: number, to: Float64Array, b: number): void {
  const odds = at(from, a + CALM_ODDS);
  const habit = at(from, a + HABIT);
  const leaveCalm = (1 - Math.exp(-dt / settings.calmS)) * (1 - habit);
  const leaveWild = (1 - Math.exp(-dt / settings.wildS)) * habit;
  const staying = odds * (1 - leaveCalm);
  const calm = staying + (1 - odds) * leaveWild;
  blend(from, a, a + WILD, staying / calm, to, b);
  blend(from, a, a + WILD, (odds * leaveCalm) / (1 - calm), to, b + WILD);
  shapeNoise(from, a);
  predict(to, b, dt, settings.qCalm);
  predict(to, b + WILD, dt, settings.qWild);
  to[b + CALM_ODDS] = calm;
  to[b + HABIT] = habit;
}

/** Takes in a place and shifts the odds and the habit; false where the place cannot be of this state. */
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
  const predicted = at(imm, k + CALM_ODDS);
  const a = predicted * Math.exp(calm - top);
  const b = (1 - predicted) * Math.exp(wild - top);
  const odds = Math.min(Math.max(a / (a + b), 0.001), 0.999);
  imm[k + CALM_ODDS] = odds;
  const habit = at(imm, k + HABIT) + settings.habitGain * (odds - predicted);
  imm[k + HABIT] = Math.min(Math.max(habit, settings.habitLeast), settings.habitMost);
  return true;
}

/** Both models together. */
export function combined(imm: Float64Array, k: number, out: Float64Array, o: number): void {
  blend(imm, k, k + WILD, at(imm, k + CALM_ODDS), out, o);
}

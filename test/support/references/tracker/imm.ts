import { blend, EARTH_RADIUS_M, GAUSSIAN, P, PP, predict, turnNoise, update } from './gaussian.ts';
import { at, COLUMN, ROW } from './matrix.ts';
import { settings } from './settings.ts';

/** Two models, calm and wild, and what a track has learnt of how it flies; see native/tracker/imm.h. */
export const WILD = GAUSSIAN;
export const CALM_ODDS = 2 * GAUSSIAN;
export const HABIT = CALM_ODDS + 1;
export const CLIMB = CALM_ODDS + 2;
const RISING = CALM_ODDS + 3;
export const IMM = 2 * GAUSSIAN + 4;

const CALM_CLIMB = 0.25;

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
  turnNoise(from, a);
  const climb = at(from, a + CLIMB);
  predict(to, b, dt, settings.qCalm, CALM_CLIMB);
  predict(to, b + WILD, dt, settings.qWild, climb);
  to[b + CALM_ODDS] = calm;
  to[b + HABIT] = habit;
  to[b + CLIMB] = climb;
  to[b + RISING] = at(from, a + RISING);
}

const up = new Float64Array(3);

/** Learns from the height of a place, before it is taken in, how much of the wild model's noise acts upwards. */
function learnClimb(
  imm: Float64Array,
  k: number,
  places: Float64Array,
  m: number,
  spreads: Float64Array,
  n: number,
): void {
  const odds = at(imm, k + CALM_ODDS);
  const z = at(places, m + 2) + EARTH_RADIUS_M;
  const length = Math.sqrt(at(places, m) ** 2 + at(places, m + 1) ** 2 + z * z);
  for (let i = 0; i < 3; i++) up[i] = (i === 2 ? z : at(places, m + i)) / length;
  const calm = heightOff(imm, k, places, m);
  const wild = heightOff(imm, k + WILD, places, m);
  const believed = odds * variance(imm, k + PP) + (1 - odds) * variance(imm, k + WILD + PP);
  const expected = believed + odds * (1 - odds) * (calm - wild) ** 2 + variance(spreads, n);
  if (!(expected > 0)) return;
  const innovation = Math.min(Math.max((odds * calm + (1 - odds) * wild) / Math.sqrt(expected), -3), 3);
  const rising = at(imm, k + RISING);
  const climb = at(imm, k + CLIMB) * Math.exp(settings.climbGain * innovation * rising);
  imm[k + CLIMB] = Math.min(Math.max(climb, settings.climbLeast), settings.climbMost);
  imm[k + RISING] = settings.climbKept * rising + (1 - settings.climbKept) * innovation;
}

/** Height of a place over that of the Gaussian at `g`, m. */
function heightOff(values: Float64Array, g: number, places: Float64Array, m: number): number {
  let off = 0;
  for (let i = 0; i < 3; i++) off += at(up, i) * (at(places, m + i) - at(values, g + P + i));
  return off;
}

/** Variance along the vertical of the covariance at `c`, m². */
function variance(values: Float64Array, c: number): number {
  let sum = 0;
  for (let k = 0; k < 6; k++) {
    const i = ROW[k] as number;
    const j = COLUMN[k] as number;
    sum += (i === j ? 1 : 2) * at(up, i) * at(up, j) * at(values, c + k);
  }
  return sum;
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
  learnClimb(imm, k, places, m, spreads, n);
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

import { heightOver, verticalAt } from './earth.ts';
import {
  apart,
  type Gaussian,
  gaussianOf,
  mixture,
  numbersOf,
  positionSpread,
  predicted,
  threeFrom,
  updated,
} from './gaussian.ts';
import { at, built, cell, column, type Matrix, plus, times } from './matrix.ts';
import { polarOf, type Sensor, sightGradients, wrapped } from './sensor.ts';

/** What a track has learnt of how it flies; see native/tracker/imm.h. */
type Habits = { calm: number; habit: number; climb: number; rising: number };
const habits = ['calm', 'habit', 'climb', 'rising'] as const;

/** Two models, the odds of the calm one, and what else is learnt. */
export type Imm = Habits & { models: readonly [Gaussian, Gaussian] };

export const immNumbers = (m: Imm): number[] => [...habits.map((name) => m[name]), ...m.models.flatMap(numbersOf)];
export const immOf = (list: readonly number[]): Imm => ({
  calm: at(list, 0),
  habit: at(list, 1),
  climb: at(list, 2),
  rising: at(list, 3),
  models: [gaussianOf(list.slice(4, 31)), gaussianOf(list.slice(31, 58))],
});

/** The native code keeps habits as floats, half a step of which is 6·10⁻⁸ of the number. */
const FLOAT = 1e-7;

/** The largest difference of two: of the states against their deviations, of the habits beyond the rounding to floats. */
export function immsApart(a: Imm, b: Imm): number {
  const ofHabits = habits.map((name) => Math.abs(a[name] - b[name]) / Math.max(1, Math.abs(b[name])) - FLOAT);
  return Math.max(0, ...ofHabits, ...a.models.map((g, i) => apart(g, b.models[i] ?? g)));
}

/** One cycle of interaction and prediction (Bar-Shalom, Li, Kirubarajan 2001, 11.6.6), by the transition matrix. */
export function predictedImm(m: Imm, dt: number, set: (name: string) => number): Imm {
  const [kept, odds] = [
    [Math.exp(-dt / set('calm_s')), Math.exp(-dt / set('wild_s'))],
    [m.habit, 1 - m.habit],
  ];
  const transition = built(2, 2, (i, j) => (i === j ? at(kept, i) : 0) + (1 - at(kept, i)) * at(odds, j));
  const before = [m.calm, 1 - m.calm];
  const after = [0, 1].map((j) => before.reduce((sum, odd, i) => sum + odd * cell(transition, i, j), 0));
  const up = verticalAt(at0(m).x);
  const models = [0, 1].map((j) => {
    const parts = m.models.map((g, i) => ({ g, weight: (cell(transition, i, j) * at(before, i)) / at(after, j) }));
    return j === 0
      ? predicted(mixture(parts), dt, set('q_calm'), up)
      : predicted(mixture(parts), dt, set('q_wild'), up, m.climb);
  });
  return { ...m, calm: at(after, 0), models: models as [Gaussian, Gaussian] };
}
const at0 = (m: Imm): Gaussian => m.models[0];

/** What a track is updated with. */
export type Measurement = {
  form: 'place' | 'fix' | 'plane' | 'angles' | 'bearing';
  z: readonly number[];
  r: Matrix;
  v: readonly number[];
  rv: Matrix | undefined;
};
export const forms = ['place', 'fix', 'plane', 'angles', 'bearing'] as const;
/** Numbers of the forms in native code; 2 and 3 are reports of fusion systems, which have references of their own. */
export const formCodes = { place: 0, fix: 1, plane: 4, angles: 5, bearing: 6 } as const;

type Updated = Gaussian & { logLikelihood: number };

/** One model: places and fixes at once, angles and ranges one after another, each linearised anew. */
function updatedBy(g: Gaussian, m: Measurement, sensor: Sensor): Updated {
  if (m.form === 'place' || (m.form === 'fix' && m.rv === undefined))
    return updated(
      g,
      threeFrom(0),
      m.z.map((v, i) => v - at(g.x, i)),
      m.r,
    );
  if (m.form === 'fix') {
    const { r, rv } = m;
    const both = built(6, 6, (i, j) =>
      i < 3 && j < 3 ? cell(r, i, j) : i >= 3 && j >= 3 && rv !== undefined ? cell(rv, i - 3, j - 3) : 0,
    );
    return updated(
      g,
      [...threeFrom(0), ...threeFrom(3)],
      [...m.z, ...m.v].map((v, i) => v - at(g.x, i)),
      both,
    );
  }
  return sighted(g, m, sensor);
}

function sighted(g: Gaussian, m: Measurement, sensor: Sensor): Updated {
  const along = (state: Gaussian, which: number, measured: number): Updated => {
    const p = state.x.slice(0, 3);
    const off = measured - at(polarOf(sensor, p), which);
    const row = [...(sightGradients(sensor, p)[which] ?? []), 0, 0, 0];
    return updated(state, [row], [which === 0 ? wrapped(off) : off], [[cell(m.r, which, which)]]);
  };
  const first = along(g, 0, at(m.z, 0));
  let state: Gaussian = first;
  const heightVariance = cell(m.r, 0, 1);
  if (heightVariance > 0) {
    const row = [...verticalAt(state.x), 0, 0, 0];
    state = updated(state, [row], [at(m.z, 1) - heightOver(state.x)], [[heightVariance]]);
  }
  if (m.form === 'bearing') return { ...state, logLikelihood: first.logLikelihood };
  const second = m.form === 'angles' ? along(state, 1, at(m.z, 1)) : along(state, 2, at(m.z, 2));
  return { ...second, logLikelihood: first.logLikelihood + second.logLikelihood };
}

/** The share of the noise that acts along the vertical, from how the height of a place differs from both models'. */
function climbAfter(m: Imm, by: Measurement, set: (name: string) => number): Pick<Imm, 'climb' | 'rising'> {
  if (by.form !== 'place' && by.form !== 'fix') return m;
  const both = mixture(m.models.map((g, i) => ({ g, weight: i === 0 ? m.calm : 1 - m.calm })));
  const up = verticalAt(by.z);
  const height = (p: readonly number[]): number => up.reduce((sum, v, i) => sum + v * at(p, i), 0);
  const variance = cell(times([up], plus(positionSpread(both), by.r), column(up)), 0, 0);
  const innovation = Math.min(Math.max((height(by.z) - height(both.x)) / Math.sqrt(variance), -3), 3);
  const x = set('climb_gain') * innovation * m.rising;
  // Padé's form of the exponential function.
  const climb = (m.climb * (12 + 6 * x + x ** 2)) / (12 - 6 * x + x ** 2);
  return {
    climb: Math.min(Math.max(climb, set('climb_least')), set('climb_most')),
    rising: set('climb_kept') * m.rising + (1 - set('climb_kept')) * innovation,
  };
}

/** Both models, the odds by Bayes from what each made of the measurement, and the habit from how far that moved them. */
export function updatedImm(m: Imm, by: Measurement, sensor: Sensor, set: (name: string) => number): Imm {
  const [calm, wild] = m.models.map((g) => updatedBy(g, by, sensor)) as [Updated, Updated];
  const top = Math.max(calm.logLikelihood, wild.logLikelihood);
  const weights = [m.calm * Math.exp(calm.logLikelihood - top), (1 - m.calm) * Math.exp(wild.logLikelihood - top)];
  const sum = at(weights, 0) + at(weights, 1);
  const odds = Math.min(Math.max(at(weights, 0) / sum, 0.001), 0.999);
  const moved = m.habit + set('habit_gain') * (odds - m.calm);
  const habit = Math.min(Math.max(moved, set('habit_least')), set('habit_most'));
  return { ...climbAfter(m, by, set), calm: odds, habit, models: [calm, wild] };
}

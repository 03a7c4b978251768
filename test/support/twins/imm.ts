import { heightOver, verticalAt } from './earth.ts';
import { type Gaussian, gaussianOf, mixture, numbersOf, predicted, threeFrom, updated } from './gaussian.ts';
import { at, built, cell, type Matrix } from './matrix.ts';
import { polarOf, type Sensor, sightGradients, wrapped } from './sensor.ts';

/** Two models, the odds of the calm one, and those of it where a model is drawn anew. */
export type Imm = { calm: number; habit: number; models: readonly [Gaussian, Gaussian] };

export const immNumbers = (m: Imm): number[] => [m.calm, m.habit, ...m.models.flatMap(numbersOf)];
export const immOf = (list: readonly number[]): Imm => ({
  calm: at(list, 0),
  habit: at(list, 1),
  models: [gaussianOf(list.slice(2, 29)), gaussianOf(list.slice(29, 56))],
});

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
    return predicted(mixture(parts), dt, set(j === 0 ? 'q_calm' : 'q_wild'), up);
  });
  return { calm: at(after, 0), habit: m.habit, models: models as [Gaussian, Gaussian] };
}
const at0 = (m: Imm): Gaussian => m.models[0];

/** What a track is updated with; `form` as the native code numbers them. */
export type Measurement = {
  form: 'place' | 'fix' | 'plane' | 'angles' | 'bearing';
  z: readonly number[];
  r: Matrix;
  v: readonly number[];
  rv: Matrix | undefined;
};
export const forms = ['place', 'fix', 'plane', 'angles', 'bearing'] as const;

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

/** Both models, the odds by Bayes from what each made of the measurement, and the habit from how far that moved them. */
export function updatedImm(m: Imm, by: Measurement, sensor: Sensor, set: (name: string) => number): Imm {
  const [calm, wild] = m.models.map((g) => updatedBy(g, by, sensor)) as [Updated, Updated];
  const top = Math.max(calm.logLikelihood, wild.logLikelihood);
  const weights = [m.calm * Math.exp(calm.logLikelihood - top), (1 - m.calm) * Math.exp(wild.logLikelihood - top)];
  const sum = at(weights, 0) + at(weights, 1);
  const odds = Math.min(Math.max(at(weights, 0) / sum, 0.001), 0.999);
  const moved = m.habit + set('habit_gain') * (odds - m.calm);
  const habit = Math.min(Math.max(moved, set('habit_least')), set('habit_most'));
  return { calm: odds, habit, models: [calm, wild] };
}

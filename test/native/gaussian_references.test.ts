import t, { type Test } from 'tap';
import { randomFrom } from '../support/basics/random.ts';
import { seedOf } from '../support/basics/seed.ts';
import { timesOf } from '../support/basics/size.ts';
import { agree, type Case } from '../support/references/agree.ts';
import { LONG_MS } from '../support/references/emulator.ts';
import {
  apart,
  gaussianOf,
  mixture,
  numbersOf,
  packed,
  positionSpread,
  predicted,
  threeFrom,
  updated,
} from '../support/references/gaussian.ts';
import { immNumbers, immOf, immsApart, predictedImm } from '../support/references/imm.ts';
import { Inputs } from '../support/references/inputs.ts';
import { at, cell, column, times } from '../support/references/matrix.ts';
import { nativeProbe } from '../support/references/probe.ts';
import { trackerSettings } from '../support/references/settings.ts';

const rounds = timesOf({ usual: 200, full: 3_000 });
/** Of √(Pᵢᵢ Pⱼⱼ) after the update. */
const tolerance = 1e-9;

t.test('native Gaussians move and learn as dense matrices do', { timeout: LONG_MS }, async (t) => {
  const probe = await nativeProbe();
  const make = new Inputs(randomFrom(seedOf(t)));
  const set = trackerSettings();
  const check = (t: Test, cases: () => Case) => agree(t, probe, make.list(rounds, cases), tolerance);

  t.test('moved on in time', (t) =>
    check(t, () => {
      const [dt, q, up, g] = [make.spread(1e-3, 60), make.spread(0.01, 100), make.direction(), make.gaussian()];
      return {
        request: ['predict', dt, q, ...up, ...numbersOf(g)],
        apart: (answer) => apart(gaussianOf(answer), predicted(g, dt, q, up)),
      };
    }),
  );

  for (const [name, first, size] of [
    ['position', 0, 1000],
    ['velocity', 3, 60],
  ] as const)
    t.test(`a ${name} taken in`, (t) =>
      check(t, () => {
        const g = make.gaussian();
        const sd = make.spread(0.05, size);
        const z = make.vector(size).map((v, i) => v + at(g.x, first + i));
        const r = make.covariance(3, () => sd * make.between(0.5, 2));
        const y = z.map((v, i) => v - at(g.x, first + i));
        return {
          request: [name, ...z, ...packed(r), ...numbersOf(g)],
          apart: (answer) => learntApart(answer, updated(g, threeFrom(first), y, r)),
        };
      }),
    );

  t.test('one number taken in along a gradient', (t) =>
    check(t, () => {
      const g = make.gaussian();
      const h = make.direction().map((v) => v * make.spread(1e-4, 1));
      const [y, r] = [make.between(-3, 3), make.spread(1e-4, 1e3)];
      const reference = updated(g, [[...h, 0, 0, 0]], [y], [[r]]);
      // Written with a subtraction, it loses as many digits as it shrinks the variance by.
      const shrinks = 1 + cell(times([h], positionSpread(g), column(h)), 0, 0) / r;
      return {
        request: ['row', ...h, y, r, ...numbersOf(g)],
        apart: (answer) => learntApart(answer, reference) / Math.max(1, 1e-6 * shrinks),
      };
    }),
  );

  t.test('two blended', (t) =>
    check(t, () => {
      const [w, { models }] = [make.between(0, 1), make.imm()];
      const parts = models.map((g, i) => ({ g, weight: i === 0 ? w : 1 - w }));
      return {
        request: ['blend', w, ...numbersOf(models[0]), ...numbersOf(models[1])],
        apart: (answer) => apart(gaussianOf(answer), mixture(parts)),
      };
    }),
  );

  t.test('two models mixed and moved on', (t) =>
    check(t, () => {
      const [dt, m] = [make.spread(1e-3, 60), make.imm()];
      return {
        request: ['predict_imm', dt, ...immNumbers(m)],
        apart: (answer) => immsApart(immOf(answer), predictedImm(m, dt, set)),
      };
    }),
  );
});

/** The likelihood comes first, then the state. */
function learntApart(answer: readonly number[], reference: ReturnType<typeof updated>): number {
  const likelihood = Math.abs(at(answer, 0) - reference.logLikelihood) / Math.max(1, Math.abs(reference.logLikelihood));
  return Math.max(likelihood, apart(gaussianOf(answer.slice(1)), reference));
}

import t from 'tap';
import { randomFrom } from '../support/basics/random.ts';
import { seedOf } from '../support/basics/seed.ts';
import { timesOf } from '../support/basics/size.ts';
import { agree } from '../support/references/agree.ts';
import { LONG_MS } from '../support/references/emulator.ts';
import { apart, type Gaussian, gaussianOf, numbersOf, packed } from '../support/references/gaussian.ts';
import { Inputs } from '../support/references/inputs.ts';
import { informationOf, intersected, logInformation, type Report } from '../support/references/intersection.ts';
import {
  at,
  built,
  cell,
  column,
  identity,
  type Matrix,
  plus,
  scaled,
  solved,
  times,
  transposed,
} from '../support/references/matrix.ts';
import { nativeProbe, type Request } from '../support/references/probe.ts';

const rounds = timesOf({ usual: 250, full: 2_000 });
const tolerance = 1e-7;

t.test('covariance intersection in native code', { timeout: LONG_MS }, async (t) => {
  const probe = await nativeProbe();
  const make = new Inputs(randomFrom(seedOf(t)));
  const draws = make.list(rounds, () => {
    const g = make.gaussian();
    return { g, report: reportBeside(make, g) };
  });

  t.test('gives what the information form gives with the same share', async (t) => {
    const cases = draws.map(({ g, report }) => ({
      request: requestOf(g, report),
      apart: (answer: readonly number[]) => {
        const kept = at(answer, 0);
        if (!(kept > 0 && kept <= 1)) return Number.POSITIVE_INFINITY;
        return apart(gaussianOf(answer.slice(2)), intersected(g, report, kept));
      },
    }));
    await agree(t, probe, cases, tolerance);
  });

  t.test('keeps the share that leaves the most information', async (t) => {
    const answers = await probe(
      draws.slice(0, timesOf({ usual: 100, full: 300 })).map(({ g, report }) => requestOf(g, report)),
    );
    let worst = 0;
    answers.forEach((answer, i) => {
      const { g, report } = draws[i] ?? { g: gaussianOf([]), report: reportBeside(make, make.gaussian()) };
      const found = logInformation(g, report, at(answer, 0));
      for (let step = 1; step <= 200; step++) worst = Math.max(worst, logInformation(g, report, step / 200) - found);
    });
    t.ok(worst < 1e-3, `at most ${worst} below the best of 200 shares`);
  });

  t.test('repeats change nothing: N copies of a report leave what one leaves', async (t) => {
    for (const moving of [true, false]) {
      const g = make.gaussian();
      const report = { ...reportBeside(make, g), moving };
      let state = g;
      const left: Gaussian[] = [];
      for (let copy = 0; copy < 12; copy++) {
        const [answer = []] = await probe([requestOf(state, report)]);
        state = gaussianOf(answer.slice(2));
        left.push(state);
      }
      const [first = g] = left;
      const shrunk = left.map(({ p }) => least(p, first.p));
      t.ok(Math.min(...shrunk) > 0.97, `to ${Math.min(...shrunk)} of the variance that one leaves`);
    }
  });

  t.test('the error is as great as it says at most, however the report depends on the state', async (t) => {
    const moving = draws.map(({ g, report }) => ({ g, report: { ...report, moving: true } }));
    const answers = await probe(moving.map(({ g, report }) => requestOf(g, report)));
    let worst = 0;
    for (const [i, { g, report }] of moving.entries()) {
      const answer = answers[i] ?? [];
      const error = errorOf(g, report, at(answer, 0), crossOf(make, g, report));
      const { p } = gaussianOf(answer.slice(2));
      for (const direction of make.list(20, () => [...make.direction(), ...make.direction()]))
        worst = Math.max(worst, along(error, direction) / along(p, direction));
    }
    t.ok(worst <= 1 + 1e-6, `${worst} of the variance that it says`);
    t.ok(worst > 0.9, 'the correlations are the worst there are');
  });
});

const along = (m: Matrix, d: readonly number[]): number => cell(times([d], m, column(d)), 0, 0);

/** Covariance of the error after covariance intersection, where state and report have the cross-covariance `cross`. */
function errorOf(g: Gaussian, report: Report, kept: number, cross: Matrix): Matrix {
  const { p } = intersected(g, report, kept);
  const ofState = times(p, scaled(solved(g.p).inverse, kept));
  const ofReport = times(p, scaled(informationOf(report), 1 - kept));
  const mixed = times(ofState, cross, transposed(ofReport));
  const own = times(ofState, g.p, transposed(ofState));
  const other = times(ofReport, solved(informationOf(report)).inverse, transposed(ofReport));
  return plus(plus(own, other), plus(mixed, transposed(mixed)));
}

/** A cross-covariance by which the report's errors follow wholly from those of the state, axis by axis at random. */
function crossOf(make: Inputs, g: Gaussian, report: Report): Matrix {
  const order = [0, 1, 2, 3, 4, 5];
  for (let i = 5; i > 0; i--) {
    const other = make.whole(0, i);
    [order[i], order[other]] = [at(order, other), at(order, i)];
  }
  const signs = order.map(() => (make.between(0, 1) < 0.3 ? -1 : 1));
  const turn = built(6, 6, (i, j) => (at(order, i) === j ? at(signs, i) : 0));
  const isAsBefore = make.between(0, 1) < 0.5;
  const between = isAsBefore ? identity(6) : turn;
  return times(rootOf(g.p), between, transposed(rootOf(solved(informationOf(report)).inverse)));
}

/** Cholesky's factor. */
function rootOf(m: Matrix): Matrix {
  const root = m.map((row) => row.map(() => 0));
  for (let j = 0; j < m.length; j++)
    for (let i = j; i < m.length; i++) {
      let rest = cell(m, i, j);
      for (let k = 0; k < j; k++) rest -= cell(root, i, k) * cell(root, j, k);
      (root[i] ?? [])[j] = i === j ? Math.sqrt(rest) : rest / cell(root, j, j);
    }
  return root;
}

/** The least ratio of a variance of `a` to that of `b`, over the axes. */
function least(a: Matrix, b: Matrix): number {
  return Math.min(...[0, 1, 2, 3, 4, 5].map((i) => cell(a, i, i) / cell(b, i, i)));
}

function reportBeside(make: Inputs, g: Gaussian): Report {
  const [sd, sdMps] = [make.spread(0.3, 300), make.spread(0.1, 30)];
  return {
    moving: make.between(0, 1) < 0.7,
    z: make.vector(3 * sd).map((value, i) => value + at(g.x, i)),
    r: make.covariance(3, () => sd * make.between(0.5, 2)),
    v: make.vector(3 * sdMps).map((value, i) => value + at(g.x, 3 + i)),
    rv: scaled(
      make.covariance(3, () => sdMps * make.between(0.5, 2)),
      1,
    ),
  };
}

function requestOf(g: Gaussian, { moving, z, r, v, rv }: Report): Request {
  return ['intersect', moving ? 1 : 0, ...z, ...packed(r), ...v, ...packed(rv), ...numbersOf(g)];
}

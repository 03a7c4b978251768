import t from 'tap';
import { Chance, keyOf, seedFor } from '../../../src/sim/kernel/chance.ts';

function moments(draw: () => number, count = 40_000): { mean: number; variance: number } {
  const values = Array.from({ length: count }, draw);
  const mean = values.reduce((a, b) => a + b, 0) / count;
  return { mean, variance: values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count };
}

const near = (value: number, expected: number, share: number): boolean =>
  Math.abs(value - expected) <= share * Math.max(1, Math.abs(expected));

t.test('uniform, normal and Poisson numbers have the mean and variance of their kind', async (t) => {
  const chance = new Chance(seedFor(7, 'moments'));
  const uniform = moments(() => chance.uniform());
  t.ok(near(uniform.mean, 0.5, 0.01) && near(uniform.variance, 1 / 12, 0.01));
  const normal = moments(() => chance.normal());
  t.ok(near(normal.mean, 0, 0.02) && near(normal.variance, 1, 0.03));
  for (const mean of [0.3, 4, 21, 300]) {
    const poisson = moments(() => chance.poisson(mean));
    t.ok(near(poisson.mean, mean, 0.02), `the mean of Poisson ${mean} is ${poisson.mean}`);
    t.ok(near(poisson.variance, mean, 0.04), `its variance is ${poisson.variance}`);
  }
  t.equal(chance.poisson(0), 0);
});

t.test('seeds of neighbours have nothing to do with each other', async (t) => {
  const first = (seed: number): number => new Chance(seed).uniform();
  let [sum, count] = [0, 0];
  for (let i = 0; i < 20_000; i++) {
    const [a, b] = [first(seedFor(1, 'actor', `drone-${i}`)), first(seedFor(1, 'actor', `drone-${i + 1}`))];
    const [c, d] = [first(keyOf(11, 12, i)), first(keyOf(11, 12, i + 1))];
    sum += (a - 0.5) * (b - 0.5) + (c - 0.5) * (d - 0.5);
    count += 2;
  }
  // The correlation of independent numbers is within four standard errors of nought.
  t.ok(Math.abs((sum / count) * 12) < 4 / Math.sqrt(count), `they correlate by ${(sum / count) * 12}`);
  t.not(seedFor(1, 'ab', 'c'), seedFor(1, 'a', 'bc'));
  t.not(seedFor(1, 'a'), seedFor(2, 'a'));
});

t.test('what follows a key depends on the key alone', async (t) => {
  const chance = new Chance(1);
  chance.normal();
  const first = chance.reset(42).normal();
  chance.uniform();
  t.equal(chance.reset(42).normal(), first);
});

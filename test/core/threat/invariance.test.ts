import fc from 'fast-check';
import t from 'tap';
import { ThreatScorer } from '../../../src/core/threat/threat_scorer.ts';
import { defaultPolicy } from '../../../src/model/decision_defaults.ts';
import { threatFactorSchema } from '../../../src/model/threat.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { sized } from '../../support/basics/size.ts';
import { flyer, policies, things } from '../../support/core/threat_arbitraries.ts';
import { type Flyer, situationOf, turned, type Vector } from '../../support/core/threat_world.ts';

const scorer = new ThreatScorer();

const RUNS = sized(4_000);
const MOST_JUMP = 5;

t.test('a world that is turned or mirrored scores the same', async (t) => {
  const angle = fc.double({ min: -4, max: 4, noNaN: true });
  fc.assert(
    fc.property(flyer, things, policies, angle, fc.boolean(), (flyer, things, policy, angle, mirrored) => {
      const other = turned(angle, mirrored);
      const was = scorer.score(situationOf(flyer, things), policy).score;
      const is = scorer.score(situationOf(other.flyer(flyer), things.map(other.thing)), policy).score;
      return Math.abs(was - is) < 1e-4;
    }),
    { seed: seedOf(t), numRuns: RUNS },
  );
  t.pass();
});

t.test('the order in which things and tracks come changes nothing, nor what was scored before', async (t) => {
  const sky = fc.array(flyer, { minLength: 2, maxLength: 5 });
  fc.assert(
    fc.property(sky, things, policies, (flyers, things, policy) => {
      const told = (flyers: Flyer[]): string[] =>
        flyers.map((flyer) => JSON.stringify(scorer.explain(situationOf(flyer, things), policy)));
      const shuffled = [things[2], things[0], things[1]].flatMap((thing) => (thing ? [thing] : []));
      const other = (flyer: Flyer): string => JSON.stringify(scorer.explain(situationOf(flyer, shuffled), policy));
      const once = told(flyers);
      const again = told([...flyers].reverse()).reverse();
      return once.every((text, i) => {
        const flyer = flyers[i];
        return text === again[i] && flyer !== undefined && text === other(flyer);
      });
    }),
    { seed: seedOf(t), numRuns: Math.ceil(RUNS / 4) },
  );
  t.pass();
});

t.test('contributions add up to the score, which is held within 0 and 100', async (t) => {
  fc.assert(
    fc.property(flyer, things, policies, (flyer, things, policy) => {
      const situation = situationOf(flyer, things);
      const { score: told, factors } = scorer.explain(situation, policy);
      const sum = factors.reduce((sum, { contribution }) => sum + contribution, 0);
      for (const factor of factors) threatFactorSchema.parse(factor);
      if (factors.some(({ text }) => !/^[A-Z].*\.$/.test(text) || /NaN|Infinity|undefined/.test(text))) return false;
      const same = told === scorer.score(situation, policy).score;
      return same && told >= 0 && told <= 100 && Math.abs(told - Math.min(100, Math.max(0, sum))) < 1e-6;
    }),
    { seed: seedOf(t), numRuns: RUNS },
  );
  t.pass();
});

t.test('a metre or a tenth of a metre a second moves a score by 5 points at most', async (t) => {
  const direction: fc.Arbitrary<Vector> = fc
    .tuple(...([0, 0, 0] as const).map(() => fc.double({ min: -1, max: 1, noNaN: true })))
    .map(([e = 0, n = 0, u = 0]) => {
      const length = Math.hypot(e, n, u) || 1;
      return [e / length, n / length, u / length];
    });
  const plus = (of: Vector, [e, n, u]: Vector, by: number): Vector => [of[0] + e * by, of[1] + n * by, of[2] + u * by];
  let most = 0;
  fc.assert(
    fc.property(flyer, things, direction, (flyer, things, direction) => {
      const was = scorer.score(situationOf(flyer, things), defaultPolicy).score;
      const moved = { ...flyer, place: plus(flyer.place, direction, 1) };
      const turned = { ...flyer, velocity: plus(flyer.velocity, direction, 0.1) };
      const jumps = [moved, turned].map((other) =>
        Math.abs(was - scorer.score(situationOf(other, things), defaultPolicy).score),
      );
      most = Math.max(most, ...jumps);
      return jumps.every((jump) => jump <= MOST_JUMP);
    }),
    { seed: seedOf(t), numRuns: 3 * RUNS },
  );
  t.comment(`at most ${most.toFixed(2)} points`);
  t.pass();
});

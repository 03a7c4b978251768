import fc from 'fast-check';
import t from 'tap';
import type { Situation } from '../../../src/core/threat/situation.ts';
import { ThreatScorer } from '../../../src/core/threat/threat_scorer.ts';
import type { DecisionPolicy } from '../../../src/model/decision_config.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { sized } from '../../support/basics/size.ts';
import { flyer, policies, thing, things } from '../../support/core/threat_arbitraries.ts';
import { edgeM, type Flyer, situationOf, type Thing, towards } from '../../support/core/threat_world.ts';

const scorer = new ThreatScorer();

const RUNS = sized(4_000);
/** Of the last digits of sums. */
const ROUNDING = 1e-6;

const of = (flyer: Flyer, things: readonly Thing[], policy: DecisionPolicy): number =>
  scorer.score(situationOf(flyer, things), policy).score;

/** For every world and every policy that may be saved, `changed` is at least the threat that the world was. */
function neverLower(name: string, changed: (flyer: Flyer, thing: Thing, by: number) => Flyer | null): void {
  t.test(`${name} never lowers a score`, async (t) => {
    const by = fc.oneof(fc.double({ min: 0.01, max: 2, noNaN: true }), fc.double({ min: 0.1, max: 400, noNaN: true }));
    fc.assert(
      fc.property(flyer, thing(), policies, by, (flyer, thing, policy, by) => {
        const after = changed(flyer, thing, by);
        if (!after) return true;
        const [was, is] = [of(flyer, [thing], policy), of(after, [thing], policy)];
        if (is < was - ROUNDING) throw new Error(`${was} fell to ${is}`);
        return true;
      }),
      { seed: seedOf(t), numRuns: RUNS },
    );
    t.pass();
  });
}

neverLower('flying closer', (flyer, thing, by) => {
  const [e, n, u] = flyer.place;
  const outsideM = edgeM([e, n], thing);
  if (outsideM <= 0) return null;
  const [te, tn] = towards([e, n], thing);
  const m = Math.min(by, outsideM * 0.999);
  return { ...flyer, place: [e + te * m, n + tn * m, u] };
});

neverLower('flying faster towards', (flyer, thing, by) => {
  const [ve, vn, vu] = flyer.velocity;
  const at = [flyer.place[0], flyer.place[1]] as const;
  if (edgeM(at, thing) <= 0) return null;
  const [te, tn] = towards(at, thing);
  const mps = Math.min(by, 30);
  return { ...flyer, velocity: [ve + te * mps, vn + tn * mps, vu] };
});

neverLower('coming lower', (flyer, _, by) => {
  const [e, n, u] = flyer.place;
  return { ...flyer, place: [e, n, Math.max(0, u - by)] };
});

neverLower('coming down faster', (flyer, _, by) => {
  const [ve, vn, vu] = flyer.velocity;
  return { ...flyer, velocity: [ve, vn, vu - Math.min(by, 10)] };
});

const changing =
  (change: (rest: Flyer['rest'], by: number) => Partial<Situation> | null) =>
  (flyer: Flyer, _: Thing, by: number): Flyer | null => {
    const changed = change(flyer.rest, by);
    return changed && { ...flyer, rest: { ...flyer.rest, ...changed } };
  };

const nameless = ({ affiliation, affiliationBasis }: Flyer['rest']): Partial<Situation> =>
  affiliation === 'friend' && affiliationBasis !== 'assignment'
    ? { named: false, affiliation: 'unknown' }
    : { named: false };

neverLower('losing its identity', changing(nameless));
neverLower(
  'losing its identity and all that was known by it',
  changing((rest) =>
    rest.verdict === 'suspect' ? null : { ...nameless(rest), verdict: 'unchecked', emergency: false, crewed: 0 },
  ),
);
neverLower(
  'being found to lie',
  changing((rest) => (rest.verdict === 'suspect' ? null : { verdict: 'suspect', integrityScore: 0 })),
);
neverLower(
  'being borne out less',
  changing(({ integrityScore }) => ({ integrityScore: integrityScore / 2 })),
);
neverLower(
  'being no friend',
  changing(({ affiliation }) => (affiliation === 'hostile' ? null : { affiliation: 'unknown' })),
);
neverLower(
  'being hostile',
  changing(() => ({ affiliation: 'hostile' })),
);
neverLower(
  'being surer to be there',
  changing(({ existence }) => ({ existence: Math.min(1, existence + 0.1) })),
);
neverLower(
  'flying in a larger group',
  changing(({ groupSize }) => ({ groupSize: groupSize + 1 })),
);
neverLower(
  'having been here more often',
  changing(({ visits }) => ({ visits: visits + 1 })),
);
neverLower(
  'loitering longer',
  changing(({ loiterS }, by) => ({ loiterS: loiterS + by })),
);
neverLower(
  'being confirmed',
  changing(({ state }) => (state === 'tentative' ? { state: 'confirmed' } : null)),
);

t.test('one more thing to protect never makes a track less of a threat', async (t) => {
  fc.assert(
    fc.property(flyer, things, policies, (flyer, all, policy) => {
      const scores = all.map((_, i) => of(flyer, all.slice(0, i + 1), policy));
      return scores.every((score, i) => i === 0 || score >= (scores[i - 1] ?? 0) - ROUNDING);
    }),
    { seed: seedOf(t), numRuns: RUNS },
  );
  t.pass();
});

t.test('a friend never outranks the same aircraft unknown, and its own word takes 20 points at most', async (t) => {
  fc.assert(
    fc.property(flyer, things, policies, (flyer, things, policy) => {
      const as = (change: Partial<Situation>): number =>
        of({ ...flyer, rest: { ...flyer.rest, existence: 1, ...change } }, things, policy);
      const unknown = as({ affiliation: 'unknown', affiliationBasis: 'none' });
      const proven = (['telemetry', 'assignment'] as const).map((affiliationBasis) =>
        as({ affiliation: 'friend', affiliationBasis }),
      );
      const claimed = as({ affiliation: 'friend', affiliationBasis: 'remote_id' });
      return (
        proven.every((friend) => friend <= unknown + ROUNDING) &&
        claimed <= unknown + ROUNDING &&
        claimed >= unknown - 20 - ROUNDING
      );
    }),
    { seed: seedOf(t), numRuns: RUNS },
  );
  t.pass();
});

import t from 'tap';
import { trackFactors, trackStrengths } from '../../../src/core/threat/factors/table.ts';
import { Situation } from '../../../src/core/threat/situation.ts';
import { defaultPolicy } from '../../../src/model/decision_defaults.ts';

const { curves } = defaultPolicy;
/** Together they give every factor a strength above 0. */
const situations: readonly Partial<Situation>[] = [
  { nameRequired: true, crewed: 0.7, bird: 0.3, emergency: true, groupSize: 4, visits: 1, affiliation: 'hostile' },
  { named: true, verdict: 'suspect', integrityScore: 0.2, affiliation: 'neutral' },
  { named: true, verdict: 'consistent', affiliation: 'friend', affiliationBasis: 'remote_id' },
];

t.test('the strengths of all factors of a track alone are written, in the order of the table', async (t) => {
  const above0 = new Set<string>();
  for (const one of situations) {
    const situation = { ...new Situation('T-1'), ...one };
    const written = new Float64Array(trackFactors.length).fill(Number.NaN);
    trackStrengths(situation, curves, written);
    const own = trackFactors.map((factor) => factor.strength(situation, curves));
    t.same([...written], own);
    for (const [i, { id }] of trackFactors.entries()) if ((own[i] ?? 0) > 0) above0.add(id);
  }
  t.equal(above0.size, trackFactors.length, 'no factor is 0 in all situations');
});

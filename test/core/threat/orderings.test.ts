import t from 'tap';
import { levelOf } from '../../../src/core/threat/levels.ts';
import type { Situation } from '../../../src/core/threat/situation.ts';
import { ThreatScorer } from '../../../src/core/threat/threat_scorer.ts';
import { defaultPolicy } from '../../../src/model/decision_defaults.ts';
import { drone, orderings } from './orderings.ts';

const scorer = new ThreatScorer();

/** Less is no order. */
const MARGIN = 0.5;

const of = (situation: Situation): number => scorer.score(situation, defaultPolicy).score;
const level = (situation: Situation): string => levelOf(of(situation), defaultPolicy.levels);

t.test('of each written pair the worse one scores higher', async (t) => {
  t.ok(orderings.length >= 40, `${orderings.length} pairs`);
  for (const { worse, than, why } of orderings) {
    const [high, low] = [of(worse), of(than)];
    t.ok(high >= low + MARGIN, `${why}: ${high.toFixed(1)} and ${low.toFixed(1)}`);
  }
});

t.test('levels are what an officer would call them', async (t) => {
  const named = { named: true, verdict: 'consistent' as const, integrityScore: 1 };
  t.equal(level(drone({ fromM: -50 })), 'critical', 'nobody knows it and it is in the zone');
  t.equal(level(drone({ fromM: 300, mps: 18 })), 'high', 'nobody knows it and it is there in a quarter of a minute');
  t.equal(level(drone({ fromM: -50 }, named)), 'high', 'known, and in the zone all the same');
  t.equal(level(drone({ fromM: 1_500, mps: 15 })), 'medium', 'nobody knows it and it is there in a minute and a half');
  t.equal(level(drone({ fromM: 3_000, mps: 12, offDeg: 120 }, named)), 'none', 'known, and going elsewhere');
  t.equal(level(drone({ fromM: 9_000, mps: 12, offDeg: 90 })), 'none', 'nobody knows it, far away');
  t.equal(level(drone({ fromM: -50 }, { ...named, affiliation: 'friend', affiliationBasis: 'telemetry' })), 'none');
  t.equal(level(drone({ fromM: -50 }, { ...named, affiliation: 'friend', affiliationBasis: 'remote_id' })), 'medium');
  t.equal(level(drone({ fromM: -50 }, { state: 'tentative' })), 'low', 'not confirmed');
});

import t from 'tap';
import type { Situation } from '../../../src/core/threat/situation.ts';
import { ThreatScorer } from '../../../src/core/threat/threat_scorer.ts';
import { defaultPolicy } from '../../../src/model/decision_defaults.ts';
import { drone } from './orderings.ts';

const scorer = new ThreatScorer();

/** Sentence of a factor in the explanation of a score. */
function textOf(situation: Situation, id: string): string {
  const { factors } = scorer.explain(situation, defaultPolicy);
  return factors.find((factor) => factor.id === id)?.text ?? '';
}

t.test('a height says above what it is', async (t) => {
  const low = drone({ fromM: 200 });
  t.match(textOf(low, 'low_altitude'), /^It flies low, 80 m above ground, near /);
  t.match(
    textOf({ ...low, heightM: 3, heightAbove: 'takeoff' }, 'low_altitude'),
    /^It flies low, 3 m above its take-off point, near /,
  );
  t.match(
    textOf({ ...low, heightM: -4, heightAbove: 'takeoff' }, 'low_altitude'),
    /^It flies low, 4 m below its take-off point, near /,
  );
});

t.test('the closing speed contradicts neither circling nor standing', async (t) => {
  const straight = drone({ fromM: 200, mps: 8 });
  t.match(textOf(straight, 'closing'), /^It closes on .* at 8 m\/s\.$/);
  const circling = { ...straight, loiterS: defaultPolicy.curves.loiter_full_s };
  t.match(textOf(circling, 'closing'), /^It is circling, and at this moment it closes on .* at 8 m\/s\.$/);
  t.match(textOf(circling, 'loiter'), /^It has hovered or circled near /);
  const stationary = { ...straight, speedMps: 0.1 };
  t.match(textOf(stationary, 'closest_approach'), /^It is stationary 200 m from /);
  const hovering = drone({ fromM: 20, mps: 0.3 });
  t.match(textOf(hovering, 'approach'), /^It is stationary, and may still come to /);
  t.match(textOf(stationary, 'closing'), /^Its distance from (.*) shrinks at 8 m\/s\.$/);
});

t.test('texts change no score', async (t) => {
  const low = drone({ fromM: 200 });
  t.equal(
    scorer.score({ ...low, heightAbove: 'takeoff' }, defaultPolicy).score,
    scorer.score(low, defaultPolicy).score,
  );
});

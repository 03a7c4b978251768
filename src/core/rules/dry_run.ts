import type { Firing } from '../../model/firing.ts';
import type { RuleValue } from '../../model/rule_value.ts';
import { RuleEngine } from './engine.ts';
import type { Facts } from './facts.ts';

/** So many are told one by one; all are counted. */
const MOST_FIRINGS = 1_000;

export type DryRun = {
  firings: Firing[];
  /** By rule, also those that raised nothing. */
  byRule: Record<string, { fired: number; suppressed: number }>;
};

/** What rules would have raised of what was: nothing is told to anybody. The facts are looked at one after another. */
export function dryRun(rules: readonly RuleValue[], history: Iterable<Facts>): DryRun {
  const engine = new RuleEngine();
  engine.set(rules);
  const firings: Firing[] = [];
  for (const facts of history) {
    const looked = engine.look(facts).firings;
    firings.push(...looked.slice(0, Math.max(0, MOST_FIRINGS - firings.length)));
  }
  const byRule: DryRun['byRule'] = Object.fromEntries(rules.map(({ id }) => [id, { fired: 0, suppressed: 0 }]));
  for (const { ruleId, fired, suppressed } of engine.takeCounts()) byRule[ruleId] = { fired, suppressed };
  return { firings, byRule };
}

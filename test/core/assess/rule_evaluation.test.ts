import t from 'tap';
import { RuleEvaluation } from '../../../src/core/assess/rule_evaluation.ts';

/** Asks at a time; true if the rules were evaluated, which makes the next time due later. */
function asks(rules: RuleEvaluation, nowMs: number): boolean {
  const before = rules.dueMs;
  rules.ask(new Map(), nowMs, false, () => {});
  return rules.dueMs !== before;
}

t.test(
  'changed inputs are evaluated by a step 100 ms after the last evaluation, and ask for one after 200 ms',
  async (t) => {
    const rules = new RuleEvaluation();
    rules.ask(new Map(), 1_000, false, () => {});
    t.equal(rules.dueMs, Number.POSITIVE_INFINITY, 'nothing changed');
    rules.note(false);
    t.equal(rules.dueMs, 1_200);
    t.notOk(asks(rules, 1_099));
    t.ok(asks(rules, 1_100), 'a step that takes place anyhow');
  },
);

t.test('an urgent change asks for a step 20 ms after the last evaluation', async (t) => {
  const rules = new RuleEvaluation();
  rules.ask(new Map(), 1_000, false, () => {});
  rules.note(true);
  t.equal(rules.dueMs, 1_020);
  t.ok(asks(rules, 1_020));
});

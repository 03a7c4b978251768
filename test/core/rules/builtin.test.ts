import t from 'tap';
import { RuleEngine } from '../../../src/core/rules/engine.ts';
import { builtinRuleIds } from '../../../src/model/builtin_rules.ts';
import type { Firing } from '../../../src/model/firing.ts';
import { allBuiltins } from '../../support/core/rule_facts.ts';
import { type Situation, situations } from './situations.ts';

function told({ tracks = [], sensors = [] }: Situation): Firing[] {
  const engine = new RuleEngine();
  engine.set(allBuiltins);
  const looks = Array.from({ length: 41 }, (_, i) => engine.evaluate({ nowMs: i * 250, tracks, sensors }));
  return looks.flatMap(({ firings }) => firings).filter(({ change }) => change === 'raised');
}

for (const situation of situations) {
  t.test(`${situation.what}: ${situation.raises.join(', ') || 'nothing'}`, async (t) => {
    const firings = told(situation);
    t.same(firings.map(({ ruleId }) => ruleId).sort(), [...situation.raises].sort());
    const { says } = situation;
    if (says)
      t.ok(
        firings.some(({ text }) => says.test(text)),
        firings.map(({ text }) => text).join(' | '),
      );
  });
}

t.test('every built-in rule has a situation in which it tells', async (t) => {
  const raised = new Set(situations.flatMap(({ raises }) => raises));
  t.same(
    builtinRuleIds.filter((id) => !raised.has(id)),
    [],
  );
});

t.test('a zone is as loud as its alarm says, an approach a step less', async (t) => {
  const of = (what: string) => told(situations.find((one) => one.what === what) ?? { what, raises: [] });
  t.equal(of('a drone that tells its name is in a protected zone')[0]?.severity, 'warning');
  t.equal(of('a drone will be in a zone soon')[0]?.severity, 'notice');
  t.equal(of('a drone stays in a zone')[0]?.severity, 'notice');
});

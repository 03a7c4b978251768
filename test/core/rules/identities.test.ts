import t from 'tap';
import type { Identity } from '../../../src/model/observation.ts';
import { CoreWitness } from '../../support/core/core.ts';
import { positionAt, serial } from '../../support/core/observation.ts';
import { userValue } from '../../support/core/rule_facts.ts';

t.test('an identity over a second radio is no change of identity; another identity is one', async (t) => {
  const core = new CoreWitness();
  core.core.assessor.rules.setRules([userValue({ when: { all: [{ field: 'track.identity', op: 'changed' }] } })]);
  const fired = (fromS: number, ...identities: Identity[]): number => {
    let count = 0;
    for (let s = fromS; s < fromS + 5; s++) {
      const { firings } = core.step(s * 1_000, positionAt(s * 1_000, s * 10, 0, { identities })).assessment;
      count += firings.filter(({ change }) => change === 'raised').length;
    }
    return count;
  };
  const [first, second] = [serial('S-A'), { type: 'caa', value: 'FIN87astrdge12k8', transport: 'bt4' } as const];
  fired(0, first);
  t.equal(fired(5, { ...first, transport: 'wifi_nan' }), 0);
  t.equal(core.cards.get(1)?.identities.length, 2, 'the track lists both radios');
  t.equal(fired(10, first, second), 1);
});

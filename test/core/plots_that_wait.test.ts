import t from 'tap';
import { CoreWitness } from '../support/core/core.ts';
import { positionAt, serial } from '../support/core/observation.ts';

/** A plot that waits for the rest of its scan is weighed when the next batch has come, which holds other things. */

t.test('a plot that waits into the next batch is given the name of nobody who speaks there', async (t) => {
  const core = new CoreWitness();
  const far = { identities: [serial('FAR')], sensorId: 'ear' };
  for (let s = 1; s <= 5; s++) {
    core.step(s * 1000, positionAt(s * 1000, 0, 0, { sensorId: 'eye' }));
    core.step(s * 1000 + 100, positionAt(s * 1000 + 100, 9_000, 0, far));
  }
  const named = [...core.cards.values()].filter(({ identities }) => identities.length > 0);
  t.same(
    named.map(({ contributors }) => contributors.map(({ sensorId }) => sensorId)),
    [['ear']],
    'one track has the name, and no radar sees it',
  );
});

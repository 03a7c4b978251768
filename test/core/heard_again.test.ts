import fc from 'fast-check';
import t from 'tap';
import { seedOf } from '../support/basics/seed.ts';
import { sized } from '../support/basics/size.ts';
import { CoreWitness } from '../support/core/core.ts';
import { mac, positionAt, serial } from '../support/core/observation.ts';

t.test('a track that is only heard again costs no card, and its times and counts move on', async (t) => {
  const core = new CoreWitness();
  let cards = 0;
  for (let s = 0; s < 30; s++) {
    const at = positionAt(s * 1000, s * 10, 0, { identities: [serial('S1')], rssiDbm: -60 - s });
    const output = core.step(s * 1000, at);
    if (s >= 5) cards += output.cards.length;
  }
  t.equal(cards, 0);
  const card = core.cards.get(1);
  t.match(card?.contributors, [{ hits: 30, lastMs: 29_000, rssiDbm: -89 }]);
  t.match(card?.identities, [{ value: 'S1', firstMs: 0, lastMs: 29_000 }]);
});

t.test(
  'each entry is told of its own, in whatever order receivers and radios are heard and however many are forgotten',
  async (t) => {
    const seed = seedOf(t);
    const heard = fc.record({ sensor: fc.integer({ min: 0, max: 39 }), radio: fc.integer({ min: 0, max: 19 }) });
    fc.assert(
      fc.property(fc.array(heard, { minLength: 1, maxLength: 120 }), (all) => {
        const core = new CoreWitness();
        const lastMs = new Map<string, number>();
        all.forEach(({ sensor, radio }, s) => {
          const nowMs = s * 1000;
          const identities = [serial('S1'), mac(`M${radio}`)];
          const at = positionAt(nowMs, s, 0, { identities, sensorId: `sensor-${sensor}` });
          const output = core.step(nowMs, at);
          lastMs.set(`sensor-${sensor}`, nowMs).set(`M${radio}`, nowMs).set('S1', nowMs);
          if (output.removed.length > 0) throw new Error('it is one aircraft');
          const card = core.cards.get(1);
          for (const { sensorId, lastMs: told } of card?.contributors ?? [])
            if (told !== lastMs.get(sensorId))
              throw new Error(`${sensorId} was heard at ${lastMs.get(sensorId)}: ${told}`);
          for (const { value, lastMs: told } of card?.identities ?? [])
            if (told !== lastMs.get(value)) throw new Error(`${value} was heard at ${lastMs.get(value)}: ${told}`);
        });
      }),
      { seed, numRuns: sized(60) },
    );
  },
);

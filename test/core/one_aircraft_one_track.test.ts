import t from 'tap';
import { CoreWitness } from '../support/core/core.ts';
import { mac, positionAt, serial } from '../support/core/observation.ts';

t.test('several receivers, radios and messages of one aircraft are one track', async (t) => {
  const core = new CoreWitness();
  for (let s = 0; s < 20; s++) {
    const identities = [mac(s % 2 ? 'AA:AA' : 'BB:BB'), ...(s % 3 ? [serial('1588E040445AC004418')] : [])];
    core.step(s * 1000, positionAt(s * 1000, s * 10, 0, { identities, sensorId: `sensor-${s % 4}` }));
  }
  t.equal(core.numbers().length, 1, 'one track');
  const card = core.cards.get(core.numbers()[0] ?? 0);
  t.same(card?.identities.map((identity) => identity.value).sort(), ['1588E040445AC004418', 'AA:AA', 'BB:BB']);
  t.equal(card?.contributors.length, 4, 'with four contributors');
  t.same(card?.flags, [], 'and nothing against it');
});

t.test("two addresses that turn out to be one serial are merged into the serial's track", async (t) => {
  const core = new CoreWitness();
  core.step(0, positionAt(0, 0, 0, { identities: [mac('AA:AA'), serial('S1')] }));
  core.step(1000, positionAt(1000, 10, 0, { identities: [mac('BB:BB')] }));
  t.equal(core.numbers().length, 2, 'nothing tells that they are one');
  core.step(2000, positionAt(2000, 20, 0, { identities: [mac('BB:BB'), serial('S1')] }));
  t.same(core.numbers(), [1], 'the serial does');
  t.match(core.removed, [{ number: 2, reason: 'merged', into: core.cards.get(1)?.id }]);
});

t.test('a serial heard where its aircraft cannot be is another track, and both are marked', async (t) => {
  const core = new CoreWitness();
  for (let s = 0; s < 5; s++) {
    core.step(
      s * 1000,
      positionAt(s * 1000, s * 10, 0, { identities: [mac('AA:AA'), serial('S1')] }),
      positionAt(s * 1000, 9_000 + s * 10, 0, { identities: [mac('CC:CC'), serial('S1')] }),
    );
  }
  t.equal(core.numbers().length, 2, 'two aircraft');
  for (const number of core.numbers()) t.same(core.cards.get(number)?.flags, ['id_duplicate']);
  t.ok(Math.abs(core.column(1, 'latDeg') - 47) < 0.001, 'the first is not dragged to the second');
});

t.test('a transmitter that changes its serial is one track with a doubtful identity', async (t) => {
  const core = new CoreWitness();
  for (let s = 0; s < 10; s++) {
    core.step(s * 1000, positionAt(s * 1000, s, 0, { identities: [mac('AA:AA'), serial(s % 2 ? 'S1' : 'S2')] }));
  }
  t.same(core.numbers(), [1]);
  t.same(core.cards.get(1)?.flags, ['id_duplicate']);
});

t.test('plots without a name go to the nearest track, or begin one', async (t) => {
  const core = new CoreWitness();
  for (let s = 0; s < 10; s++) {
    core.step(s * 1000, positionAt(s * 1000, s * 10, 0), positionAt(s * 1000, s * 10, 1_500));
  }
  t.equal(core.numbers().length, 2, 'two plots a scan, two tracks');
});

t.test("an identity first heard on top of an anonymous track is that track's", async (t) => {
  const core = new CoreWitness();
  for (let s = 0; s < 5; s++) core.step(s * 1000, positionAt(s * 1000, s * 10, 0));
  core.step(5000, positionAt(5000, 50, 0, { identities: [mac('AA:AA')] }));
  t.same(core.numbers(), [1]);
  t.equal(core.cards.get(1)?.identities[0]?.value, 'AA:AA');
});

t.test('an aircraft that only names itself is a track without a place', async (t) => {
  const core = new CoreWitness();
  for (let s = 0; s < 3; s++) {
    core.step(
      s * 1000,
      positionAt(s * 1000, 0, 0, { report: 'identity', latDeg: null, lonDeg: null, identities: [serial('S1')] }),
    );
  }
  t.equal(core.state(1), 'confirmed');
  t.ok(Number.isNaN(core.column(1, 'latDeg')), 'no position is invented');
  core.step(4000, positionAt(4000, 0, 0, { identities: [serial('S1')] }));
  t.notOk(Number.isNaN(core.column(1, 'latDeg')), 'until it tells one');
});

t.test('what was counted in a burst is told when the burst is over', async (t) => {
  const core = new CoreWitness();
  for (let i = 0; i < 10; i++) core.step(i * 20, positionAt(i * 20, i, 0, { identities: [mac('A')] }));
  core.step(2_000);
  t.equal(core.cards.get(1)?.contributors[0]?.hits, 10);
});

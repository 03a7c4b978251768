import t from 'tap';
import { CoreWitness, settings } from '../support/core/core.ts';
import { mac, positionAt } from '../support/core/observation.ts';

const at = (s: number, name = 'AA:AA') => positionAt(s * 1000, s * 10, 0, { identities: [mac(name)] });

t.test('a track is tentative, then confirmed, coasts, is lost, comes back, and at last is closed', async (t) => {
  const core = new CoreWitness();
  core.step(0, at(0));
  t.equal(core.state(1), 'tentative', 'one hit proves nothing');
  core.step(1000, at(1));
  t.equal(core.state(1), 'confirmed', 'two do');
  const sharp = core.column(1, 'majorM');
  core.step(7000);
  t.equal(core.state(1), 'coasting', 'silence is seen');
  t.ok(core.column(1, 'majorM') > sharp, 'and makes it less certain');
  t.ok(core.column(1, 'latDeg') > 47 + 50 / 111_194, 'while it is moved on with its speed');
  core.step(17_000);
  t.equal(core.state(1), 'lost');
  t.equal(core.column(1, 'lastSeenMs'), 1000, 'with its true age');
  core.step(20_000, at(20));
  t.equal(core.state(1), 'confirmed', 'new evidence brings it back under its own number');
  core.step(20_000 + settings.closeS * 1000 + 1000);
  t.match(core.removed, [{ number: 1, reason: 'closed' }]);
});

t.test('a single hit that nothing follows ends without having been confirmed', async (t) => {
  const core = new CoreWitness();
  core.step(0, at(0));
  core.step(11_000);
  t.match(core.removed, [{ number: 1, reason: 'closed' }]);
});

t.test('hits too far apart do not confirm', async (t) => {
  const core = new CoreWitness({ confirmHits: 3, confirmWindowS: 4, coastS: 100 });
  for (const s of [0, 3, 6, 9]) core.step(s * 1000, at(s));
  t.equal(core.state(1), 'tentative');
  core.step(10_000, at(10));
  core.step(11_000, at(11));
  t.equal(core.state(1), 'confirmed');
});

t.test('another life holds from the next step on, for tracks that live too', async (t) => {
  const core = new CoreWitness();
  core.step(0, at(0));
  core.step(1000, at(1));
  core.step(7000);
  t.equal(core.state(1), 'coasting');
  core.core.setLife({ confirmHits: 4, confirmWindowS: 10, coastS: 20, lostS: 40, closeS: 50 });
  core.step(8000);
  t.equal(core.state(1), 'confirmed', 'silent for 7 s is no coasting any more');
  core.step(22_000);
  t.equal(core.state(1), 'coasting', 'for 21 s it is');
  core.step(24_000, at(24, 'BB:BB'));
  core.step(25_000, at(25, 'BB:BB'));
  t.equal(core.state(2), 'tentative', 'two hits confirm nothing any more');
  for (const s of [26, 27]) core.step(s * 1000, at(s, 'BB:BB'));
  t.equal(core.state(2), 'confirmed');
  core.step(42_000);
  t.equal(core.state(1), 'lost');
  core.step(52_000);
  t.match(core.removed, [{ number: 1, reason: 'closed' }]);
});

t.test('when the table is full the least trusted and longest unheard track makes room', async (t) => {
  const core = new CoreWitness({ maxTracks: 3 });
  core.step(0, at(0, 'old'));
  core.step(1000, at(1, 'old'));
  core.step(2000, at(2, 'weak'));
  core.step(3000, at(3, 'late'));
  core.step(4000, at(4, 'new'));
  t.match(
    core.removed,
    [{ number: 2, reason: 'dropped' }],
    'the older of the two tentative ones, not the confirmed one',
  );
});

t.test('a flood of invented identities leaves the confirmed track alone', async (t) => {
  const core = new CoreWitness({ maxTracks: 20 });
  core.step(0, at(0));
  core.step(1000, at(1));
  for (let i = 0; i < 500; i++) core.step(1000 + i, at(1, `fake-${i}`));
  core.step(2000, at(2));
  t.equal(core.state(1), 'confirmed');
  t.equal(core.numbers().length, 20);
});

function cardOfAnEarlierRun() {
  const core = new CoreWitness();
  core.step(0, at(0));
  core.step(1000, at(1));
  const card = core.cards.get(1);
  if (!card) throw new Error('no card');
  return card;
}

t.test('what an earlier run left is lost at its true age and known again by its identity', async (t) => {
  const card = cardOfAnEarlierRun();
  const later = new CoreWitness();
  later.core.restore([{ ...card, number: 41, lastSeenMs: 1000 }]);
  later.step(20_000, at(20));
  t.equal(later.state(41), 'confirmed');
  t.equal(later.cards.get(41)?.id, card.id, 'under its old id');
  later.step(21_000, at(21, 'other'));
  t.ok(later.numbers().includes(42), 'numbers go on after the highest');
});

t.test('an earlier track whose age is not known is dropped: it would never be closed', async (t) => {
  const card = cardOfAnEarlierRun();
  const later = new CoreWitness();
  later.core.restore([{ ...card, number: 41, lastSeenMs: Number.NaN }]);
  later.step(20_000, at(20));
  t.match(later.removed, [{ number: 41, reason: 'dropped' }]);
  t.same(later.numbers(), [1], 'its identity begins another');
});

t.test('the same input gives the same bytes, whatever the batches', async (t) => {
  const observations = Array.from({ length: 300 }, (_, i) =>
    positionAt(i * 100, i, (i % 7) * 400, { identities: i % 3 ? [mac(`M${i % 7}`)] : [] }),
  );
  const run = (size: number): string => {
    const core = new CoreWitness();
    const told: number[] = [];
    for (let i = 0; i < observations.length; i += size) {
      const output = core.step(i * 100, ...observations.slice(i, i + size));
      told.push(...output.assigned);
    }
    // Plots wait for others of their scan: the last have their answer a moment later.
    told.push(...core.step(36_000).assigned);
    return JSON.stringify([told, [...core.rows].map(([number, row]) => [number, ...row])]);
  };
  t.equal(run(1), run(1));
  t.equal(run(1), run(60), 'each observation goes to the same track');
});

t.test('nonsense in, nothing out of shape', async (t) => {
  const core = new CoreWitness();
  const bad = [
    positionAt(0, 0, 0, { latDeg: Number.NaN, identities: [mac('A')] }),
    positionAt(0, 0, 0, { sigmaHM: 0, identities: [mac('B')] }),
    positionAt(0, 0, 0, { speedMps: Number.POSITIVE_INFINITY, courseDeg: 3, identities: [mac('C')] }),
    positionAt(Number.NaN, 0, 0, { identities: [mac('D')] }),
  ];
  core.step(0, ...bad);
  for (let s = 1; s < 5; s++) core.step(s * 1000, at(s, 'good'));
  const good = core.numbers().find((number) => core.cards.get(number)?.identities[0]?.value === 'good') ?? 0;
  t.equal(core.state(good), 'confirmed');
  for (const number of core.numbers().filter((n) => n !== good)) {
    t.ok(Number.isNaN(core.column(number, 'latDeg')), 'what was not sound placed nothing');
  }
});

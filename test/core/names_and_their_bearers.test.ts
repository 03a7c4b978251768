import t from 'tap';
import type { Identity } from '../../src/model/observation.ts';
import { CoreWitness } from '../support/core/core.ts';
import { mac, positionAt, serial } from '../support/core/observation.ts';

const caa: Identity = { type: 'caa', value: 'CHE-1', transport: 'bt4' };

/** The values that each track that lives carries, by number. */
function names(core: CoreWitness): Record<number, string[]> {
  const carried = [...core.cards].map(([number, { identities }]) => [
    number,
    identities.map(({ value }) => value).sort(),
  ]);
  return Object.fromEntries(carried);
}

t.test('aircraft of one operator stay apart: a serial outranks every name they share', async (t) => {
  const core = new CoreWitness();
  for (let s = 0; s < 20; s++) {
    core.step(s * 1000, positionAt(s * 1000, s * 10, 0, { identities: [mac('A'), serial('S-A'), caa] }));
    const besideMs = s * 1000 + 500;
    core.step(besideMs, positionAt(besideMs, 300 + s * 10, 0, { identities: [mac('B'), serial('S-B'), caa] }));
  }
  t.same(names(core), { 1: ['A', 'CHE-1', 'S-A'], 2: ['B', 'CHE-1', 'S-B'] });
  for (const card of core.cards.values()) t.same(card.flags, [], 'and nothing is held against them');
});

t.test('one vague report from afar does not take an aircraft over', async (t) => {
  const core = new CoreWitness();
  const friend = (s: number): void => {
    core.step(s * 1000, positionAt(s * 1000, s * 10, 0, { identities: [mac('F'), serial('S-F')] }));
  };
  for (let s = 0; s < 10; s++) friend(s);
  const stranger = { identities: [mac('X'), serial('S-F')] };
  core.step(9_500, positionAt(9_500, 40_000, 0, { ...stranger, sigmaHM: 18_520 }));
  for (let s = 10; s < 20; s++) {
    friend(s);
    core.step(s * 1000 + 500, positionAt(s * 1000 + 500, 40_000, 0, stranger));
  }
  t.same(names(core)[1], ['F', 'S-F'], 'the first stays who it was');
  t.ok(Math.abs(core.column(1, 'latDeg') - 47) < 0.01, 'and where it was');
});

t.test('a number that is given back in the middle of joining two claims is given out once', async (t) => {
  const core = new CoreWitness();
  core.step(0, positionAt(0, 0, 0, { identities: [mac('A')] }));
  core.step(100, positionAt(100, 20, 0, { identities: [serial('S-B')] }));
  const both = { identities: [mac('A'), serial('S-B')] };
  core.step(20_000, positionAt(20_000, 9_000, 0, { identities: [mac('Z')] }), positionAt(20_000, 10, 0, both));
  for (let s = 21; s < 30; s++) {
    const far = [1, 2, 3, 4].map((i) => positionAt(s * 1000, i * 5_000, 0, { identities: [mac(`M${i}`)] }));
    core.step(s * 1000, ...far, positionAt(s * 1000, 10, 0, both));
  }
  const carried = Object.values(names(core));
  t.ok(
    carried.every((values) => values.length === 1 || values.join() === 'A,S-B'),
    JSON.stringify(carried),
  );
});

t.test('an aircraft whose track ended and that speaks on in the same breath keeps its name to itself', async (t) => {
  const core = new CoreWitness();
  const f = (atMs: number) => positionAt(atMs, 0, 0, { identities: [mac('F'), serial('S-F')] });
  for (let s = 0; s < 5; s++) core.step(s * 1000, f(s * 1000));
  core.core.drop(1);
  core.step(6_000, f(5_000), f(6_000));
  for (let s = 7; s < 20; s++)
    core.step(s * 1000, positionAt(s * 1000, 0, 0, { identities: [mac('D'), serial('S-D')] }));
  for (const values of Object.values(names(core))) {
    t.notOk(values.includes('S-F') && values.includes('S-D'), `nobody is both: ${values}`);
  }
});

t.test('while a vehicle speaks over a proven link, nobody else speaks for it', async (t) => {
  const core = new CoreWitness();
  const said = { identities: [serial('V')] };
  for (let s = 0; s < 20; s++) {
    core.step(s * 1000, positionAt(s * 1000, s * 10, 0, { ...said, authentic: true }));
    core.step(s * 1000 + 500, positionAt(s * 1000 + 500, 200 + s * 10, 0, said));
  }
  t.ok(Math.abs(core.column(1, 'latDeg') - (47 + 190 / 111_194)) < 20 / 111_194, 'it is where it says itself');
});

t.test('a plot that is told twice is one track', async (t) => {
  const core = new CoreWitness();
  for (let s = 0; s < 10; s++) {
    const plot = positionAt(s * 1000, s * 10, 0);
    core.step(s * 1000, plot, { ...plot });
  }
  core.step(10_000);
  t.equal(core.numbers().length, 1);
});

t.test('one serial from two radios that are never in one place is marked, however near they are', async (t) => {
  const core = new CoreWitness();
  for (let s = 0; s < 20; s++) {
    core.step(s * 1000, positionAt(s * 1000, s * 10, 0, { identities: [mac('A'), serial('S')] }));
    const besideMs = s * 1000 + 500;
    core.step(besideMs, positionAt(besideMs, 450 + s * 10, 0, { identities: [mac('B'), serial('S')] }));
  }
  t.same(core.cards.get(1)?.flags, ['id_duplicate']);
  t.equal(core.cards.get(1)?.integrity.verdict, 'suspect');
});

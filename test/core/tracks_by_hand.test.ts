import t from 'tap';
import { TRACK } from '../../src/model/rows/layouts.ts';
import type { TrackRemoval } from '../../src/model/track_row.ts';
import { stateCodes } from '../../src/model/track_row.ts';
import { CoreWitness } from '../support/core/core.ts';
import { mac, positionAt, serial } from '../support/core/observation.ts';

function names(core: CoreWitness, number: number): string[] {
  return (core.cards.get(number)?.identities ?? []).map(({ value }) => value).sort();
}

function stateOf(core: CoreWitness, number: number): string | undefined {
  return stateCodes[core.rows.get(number)?.[TRACK.state] ?? -1];
}

/** Two aircraft 3 km from each other, for ten seconds. */
function twoAircraft(one: Parameters<typeof positionAt>[3], other: Parameters<typeof positionAt>[3]): CoreWitness {
  const core = new CoreWitness();
  for (let s = 0; s < 10; s++) {
    const atMs = s * 1_000;
    core.step(atMs, positionAt(atMs, s * 10, 0, one ?? {}), positionAt(atMs, s * 10, 3_000, other ?? {}));
  }
  return core;
}

function ends(core: CoreWitness): Pick<TrackRemoval, 'number' | 'reason'>[] {
  return core.removed.map(({ number, reason }) => ({ number, reason }));
}

t.test('two that say who they are become one, with the names of both', async (t) => {
  const core = twoAircraft({ identities: [mac('A')] }, { identities: [serial('S-B')] });
  const [gone, kept] = [core.cards.get(1)?.id, core.cards.get(2)?.id];
  t.equal(core.core.merge(1, 2), 'done');
  core.step(10_000);
  t.match(core.removed, [{ id: gone, number: 1, reason: 'merged', into: kept }]);
  t.same(names(core, 2), ['A', 'S-B']);
  // Whichever of its names is heard, it is heard.
  for (let s = 10; s < 20; s++) {
    const who = s % 2 === 0 ? mac('A') : serial('S-B');
    core.step(s * 1_000 + 100, positionAt(s * 1_000 + 100, s * 10, 3_000, { identities: [who] }));
  }
  t.same([...core.cards.keys()], [2], 'and no other track begins');
  t.equal(stateOf(core, 2), 'confirmed');
});

t.test('two serials are two aircraft, whoever says otherwise', async (t) => {
  const core = twoAircraft({ identities: [serial('S-A')] }, { identities: [serial('S-B')] });
  t.equal(core.core.merge(1, 2), 'two_claims');
  core.step(10_000);
  t.same([...core.cards.keys()], [1, 2]);
  t.same(core.removed, []);
});

t.test('who says who it is gives its name to one that nobody claims, and the other way round', async (t) => {
  for (const [from, into] of [
    [1, 2],
    [2, 1],
  ] as const) {
    const core = twoAircraft({ identities: [serial('S-A')] }, {});
    // The last plot of the other one waits for the rest of its scan.
    core.step(9_900);
    t.equal(core.core.merge(from, into), 'done');
    core.step(10_000);
    t.same([...core.cards.keys()], [into]);
    t.same(names(core, into), ['S-A']);
    for (let s = 10; s < 20; s++) {
      core.step(s * 1_000 + 100, positionAt(s * 1_000 + 100, s * 10, 0, { identities: [serial('S-A')] }));
    }
    t.same([...core.cards.keys()], [into], 'it is still that track');
    t.equal(stateOf(core, into), 'confirmed');
  }
});

t.test('an aircraft that was lost goes on under its old name where the new one is', async (t) => {
  const core = new CoreWitness();
  for (let s = 0; s < 10; s++) core.step(s * 1_000, positionAt(s * 1_000, s * 10, 0, { identities: [serial('S-A')] }));
  for (let s = 10; s < 40; s++) core.step(s * 1_000);
  t.equal(stateOf(core, 1), 'lost');
  for (let s = 40; s < 50; s++) core.step(s * 1_000, positionAt(s * 1_000, 20_000 + s * 10, 0));
  t.equal(core.core.merge(2, 1), 'done');
  core.step(50_000);
  t.same([...core.cards.keys()], [1]);
  t.equal(stateOf(core, 1), 'confirmed');
  t.ok(Math.abs((core.rows.get(1)?.[TRACK.latDeg] ?? 0) - (47 + 20_490 / 111_194)) < 0.001, 'there');
});

t.test('a track that was dropped is heard again as a new one, claimed or not', async (t) => {
  for (const identities of [[serial('S-A')], []]) {
    const core = new CoreWitness();
    const fly = (from: number, to: number): void => {
      for (let s = from; s < to; s++) core.step(s * 1_000, positionAt(s * 1_000, s * 10, 0, { identities }));
    };
    fly(0, 10);
    t.equal(core.core.drop(1), true);
    core.step(9_500);
    t.same(ends(core), [{ number: 1, reason: 'dropped' }]);
    fly(10, 20);
    t.same([...core.cards.keys()], [2]);
    t.equal(core.core.drop(1), false);
  }
});

t.test('what is not there, or is itself, is not merged', async (t) => {
  const core = twoAircraft({}, {});
  t.equal(core.core.merge(1, 9), 'not_there');
  t.equal(core.core.merge(9, 1), 'not_there');
  t.equal(core.core.merge(1, 1), 'not_there');
  core.step(10_000);
  t.same([...core.cards.keys()], [1, 2]);
});

t.test('merging at every moment of a sky that comes and goes leaves every track whole', async (t) => {
  const core = new CoreWitness({ maxTracks: 12 });
  for (let s = 0; s < 120; s++) {
    const atMs = s * 1_000;
    const sky = [0, 1, 2, 3, 4, 5].flatMap((i) =>
      (s + i * 7) % 40 < 25
        ? [positionAt(atMs, s * 10 + i * 4_000, 0, i % 2 === 0 ? { identities: [mac(`M${i}`)] } : {})]
        : [],
    );
    core.step(atMs, ...sky);
    const numbers = [...core.cards.keys()];
    const [one, other] = [numbers[s % numbers.length], numbers[(s * 5 + 1) % numbers.length]];
    if (one !== undefined && other !== undefined && s % 3 === 0) core.core.merge(one, other);
  }
  for (let s = 120; s < 300; s++) core.step(s * 1_000);
  t.same([...core.cards.keys()], [], 'and in the end all are gone');
});

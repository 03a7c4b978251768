import fc from 'fast-check';
import t from 'tap';
import { Groups, type Member } from '../../../src/core/threat/groups.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { sized } from '../../support/basics/size.ts';

const member = (number: number, eastM: number, northM = 0, eastMps = 10, northMps = 0): Member => ({
  number,
  eastM,
  northM,
  upM: 0,
  altHaeM: 100,
  eastMps,
  northMps,
  upMps: 0,
});

t.test('three that fly together within 300 m are a group, two are none, nor who flies elsewhere', async (t) => {
  const groups = new Groups();
  const three = [member(1, 0), member(2, 250), member(3, 500)];
  t.same(
    [...groups.update(three)],
    three.map(({ number }) => [number, { key: 1, size: 3 }]),
  );
  t.equal(new Groups().update(three.slice(0, 2)).size, 0);
  t.equal(new Groups().update([member(1, 0), member(2, 250), member(3, 570)]).size, 0, 'too far apart');
  t.equal(new Groups().update([member(1, 0), member(2, 250), member(3, 500, 0, -10)]).size, 0, 'the other way');
});

t.test('a group keeps its key while one joins, one leaves and it comes to the border', async (t) => {
  const groups = new Groups();
  groups.update([member(1, 0), member(2, 200), member(3, 400)]);
  t.equal(groups.update([member(1, 0), member(2, 200), member(3, 400), member(9, 600)]).get(9)?.key, 1);
  t.equal(groups.update([member(2, 200), member(3, 400), member(9, 600)]).get(9)?.key, 1);
  t.equal(groups.update([member(2, 200), member(3, 400), member(9, 760)]).get(9)?.key, 1, 'a little too far apart');
  t.equal(groups.update([member(2, 200), member(3, 400), member(9, 900)]).size, 0);
});

t.test('a group that falls apart forms again with its key within a minute, and with another key later', async (t) => {
  const three = [member(1, 0), member(2, 200), member(3, 400)];
  for (const [missingS, key] of [
    [3, 1],
    [60, 1],
    [61, 2],
  ] as const) {
    const groups = new Groups();
    groups.update(three);
    for (let s = 0; s < missingS; s++) t.equal(groups.update(three.slice(0, 2)).size, 0);
    t.equal(groups.update(three).get(1)?.key, key, `not received for ${missingS} s`);
  }
});

t.test('where a group parts the greater part keeps the key, and where two join the greater gives it', async (t) => {
  const groups = new Groups();
  const line = (numbers: number[], eastM: number): Member[] =>
    numbers.map((number, i) => member(number, eastM + i * 100));
  groups.update([...line([1, 2, 3], 0), ...line([4, 5, 6, 7], 300)]);
  const parted = groups.update([...line([1, 2, 3], 0), ...line([4, 5, 6, 7], 5_000)]);
  t.equal(parted.get(4)?.key, 1);
  t.equal(parted.get(1)?.key, 2);
  const joined = groups.update([...line([1, 2, 3], 0), ...line([4, 5, 6, 7], 300)]);
  t.same([...new Set(joined.values())], [{ key: 1, size: 7 }]);
});

t.test('the order in which tracks are told, and where the axes stand, change no group', async (t) => {
  const real = (most: number): fc.Arbitrary<number> => fc.double({ min: -most, max: most, noNaN: true });
  const sky = fc.array(fc.tuple(real(1_500), real(1_500), real(5), real(5)), { maxLength: 40 });
  fc.assert(
    fc.property(sky, fc.integer({ min: -50, max: 50 }), (places, cells) => {
      const members = places.map(([e, n, ve, vn], i) => member(i + 1, e, n, ve, vn));
      const shifted = members.map((of) => ({ ...of, eastM: of.eastM + cells * 375, northM: of.northM - cells * 64 }));
      const told = (all: readonly Member[]): string => {
        const groups = new Groups().update(all);
        return JSON.stringify(members.map(({ number }) => groups.get(number) ?? null));
      };
      return told(members) === told([...members].reverse()) && told(members) === told(shifted);
    }),
    { seed: seedOf(t), numRuns: sized(1_000) },
  );
  t.pass();
});

t.test('groups are those that comparing everybody with everybody finds', async (t) => {
  const real = (most: number): fc.Arbitrary<number> => fc.double({ min: -most, max: most, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(real(2_000), real(2_000)), { maxLength: 60 }), (places) => {
      const members = places.map(([e, n], i) => member(i + 1, e, n));
      const groups = new Groups().update(members);
      return members.every((of) => {
        const party = reached(of, members);
        const size = groups.get(of.number)?.size ?? 0;
        return size === (party.size >= 3 ? party.size : 0);
      });
    }),
    { seed: seedOf(t), numRuns: sized(500) },
  );
  t.pass();
});

function reached(from: Member, members: readonly Member[]): Set<Member> {
  const found = new Set([from]);
  for (const at of found)
    for (const other of members)
      if (Math.hypot(at.eastM - other.eastM, at.northM - other.northM) <= 300) found.add(other);
  return found;
}

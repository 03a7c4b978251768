import fc from 'fast-check';
import t from 'tap';
import { fencesOf } from '../../../src/command/safety/fence.ts';
import { keepInRefusal } from '../../../src/command/safety/keep_in.ts';
import { localLegOf } from '../../../src/command/safety/move.ts';
import type { Geodetic } from '../../../src/geo/position.ts';
import type { Geometry, Position } from '../../../src/model/geometry.ts';
import { metresApart, positionAt } from '../../support/basics/place.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { starRing } from '../../support/basics/shapes.ts';
import { zone } from '../../support/fleet/airspace.ts';
import { fenceOracle } from '../../support/references/fences.ts';

const heights = { groundAltHaeM: () => 200, haeOfMsl: (msl: number) => msl + 45 };
const home = { latDeg: 48.2, lonDeg: 16.37 };
const at = (azimuthDeg: number, metres: number, altHaeM = 260): Geodetic => ({
  ...positionAt(home, azimuthDeg, metres),
  altHaeM,
});
type Spec = Omit<Parameters<typeof zone>[0], 'kind'>;

function refusal(specs: Spec[], from: Geodetic, to: Geodetic, groundM: number | null = 200) {
  const zones = specs.map((spec) => zone({ name: 'Yard', ...spec, kind: 'keep_in' }));
  return keepInRefusal(localLegOf({ from, to }), fencesOf(zones, { ...heights, groundAltHaeM: () => groundM }));
}

const yard: Geometry = { type: 'Point', coordinates: [home.lonDeg, home.latDeg], radius_m: 1_000 };

t.test('where zones are kept in, a way stays in one of them or in what they are together', async (t) => {
  t.equal(refusal([], at(0, 0), at(0, 5_000)), null, 'without any there is nothing to stay in');
  t.equal(refusal([{ geometry: yard }], at(0, 900), at(180, 900)), null);
  t.same(refusal([{ geometry: yard }], at(0, 900), at(0, 1_100)), {
    reason: 'keep_out',
    text: 'the path does not stay at least 5 m inside the keep-in zone Yard',
  });
  t.match(refusal([{ geometry: yard }], at(0, 900), at(0, 997)), { reason: 'keep_out' }, 'nearer than it can fly');
  const beside = positionAt(home, 90, 1_800);
  const next: Geometry = { type: 'Point', coordinates: [beside.lonDeg, beside.latDeg], radius_m: 1_000 };
  t.equal(refusal([{ geometry: yard }, { geometry: next }], at(0, 0), at(90, 1_800)), null, 'from one to the next');
  t.match(refusal([{ geometry: yard }, { geometry: next }], at(0, 900), at(70, 1_900)), { reason: 'keep_out' });
});

t.test('polygons that were cut at the antimeridian are one', async (t) => {
  const halves: Geometry = {
    type: 'MultiPolygon',
    coordinates: [
      [
        [
          [179.9, 10],
          [180, 10],
          [180, 10.1],
          [179.9, 10.1],
          [179.9, 10],
        ],
      ],
      [
        [
          [-180, 10],
          [-179.9, 10],
          [-179.9, 10.1],
          [-180, 10.1],
          [-180, 10],
        ],
      ],
    ],
  };
  const [west, east] = [
    { latDeg: 10.05, lonDeg: 179.95, altHaeM: 100 },
    { latDeg: 10.06, lonDeg: -179.95, altHaeM: 100 },
  ];
  t.equal(refusal([{ geometry: halves }], west, east), null);
  t.equal(refusal([{ geometry: halves }], { ...west, lonDeg: 180 }, { ...east, lonDeg: 180 }), null, 'along the cut');
  t.match(refusal([{ geometry: halves }], west, { ...east, latDeg: 10.11 }), { reason: 'keep_out' });
});

t.test('it stays between floor and ceiling', async (t) => {
  const low: Spec = { geometry: yard, floor_m: 20, ceiling_m: 120 };
  t.equal(refusal([low], at(0, 500, 230), at(180, 500, 310)), null);
  t.match(refusal([low], at(0, 500, 230), at(180, 500, 317)), { reason: 'keep_out' });
  t.match(refusal([low], at(0, 500, 260), at(180, 500, 223)), { reason: 'keep_out' });
  t.match(refusal([low], at(0, 500), at(180, 500), null), {
    text: /inside the keep-in zone Yard; the ground height is/,
  });
  const high: Spec = { geometry: yard, floor_m: 100, ceiling_m: 300 };
  t.equal(refusal([low, high], at(0, 500, 230), at(180, 500, 490)), null, 'from the lower into the higher');
});

t.test('what is outside may come back in, and not go farther off before', async (t) => {
  t.equal(refusal([{ geometry: yard }], at(0, 1_500), at(0, 900)), null);
  t.equal(refusal([{ geometry: yard }], at(0, 998), at(0, 990)), null, 'from its very edge');
  t.match(refusal([{ geometry: yard }], at(0, 1_500), at(0, 1_200)), { reason: 'keep_out' }, 'not in at its end');
  t.match(refusal([{ geometry: yard }], at(0, 1_500), at(180, 1_500)), { reason: 'keep_out' }, 'through and out again');
  t.equal(refusal([{ geometry: yard, ceiling_m: 100 }], at(0, 500, 350), at(0, 500, 260)), null, 'down into it');
});

const middles = fc.constantFrom<Position>([16.37, 48.2], [180, 10], [-180, -60], [0, 90], [179.99, 89.9], [10, 80]);
const far = fc.array(fc.double({ min: 400, max: 3_000, noNaN: true }), { minLength: 3, maxLength: 12 });
const ends = fc.tuple(fc.nat(359), fc.double({ min: 0, max: 2_500, noNaN: true }));

t.test(
  'against a dense row of places: allowed is only what is inside by nearly the margin, refused only what is not',
  async (t) => {
    let allowed = 0;
    const property = fc.property(middles, far, ends, ends, (middle, metres, [fromDeg, fromM], [toDeg, toM]) => {
      const geometry: Geometry = { type: 'Polygon', coordinates: [starRing(middle, metres)] };
      const oracle = fenceOracle(geometry);
      const [lonDeg, latDeg] = middle;
      const [from, to] = [positionAt({ latDeg, lonDeg }, fromDeg, fromM), positionAt({ latDeg, lonDeg }, toDeg, toM)];
      fc.pre(metresApart(from, to) > 1 && oracle.outside(from) < -6);
      const passed = refusal([{ geometry }], { ...from, altHaeM: 100 }, { ...to, altHaeM: 100 }) === null;
      if (passed) allowed++;
      // The octagon of ways beside is a twelfth less than the circle; between two places it may be nearer by half a step.
      const farthest = oracle.farthestAlong(from, to, 200);
      const half = metresApart(from, to) / 400;
      return passed ? farthest <= -4.4 : farthest >= -5.6 - half;
    });
    t.doesNotThrow(() => fc.assert(property, { seed: seedOf(t), numRuns: 80, endOnFailure: true }));
    t.ok(allowed > 5, `${allowed} were allowed`);
  },
);

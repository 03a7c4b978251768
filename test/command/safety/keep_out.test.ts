import fc from 'fast-check';
import t from 'tap';
import { fencesOf } from '../../../src/command/safety/fence.ts';
import { keepOutRefusal } from '../../../src/command/safety/keep_out.ts';
import { localLegOf } from '../../../src/command/safety/move.ts';
import type { Geodetic } from '../../../src/geo/position.ts';
import type { Geometry, Position } from '../../../src/model/geometry.ts';
import { metresApart, positionAt } from '../../support/basics/place.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { starRing } from '../../support/basics/shapes.ts';
import { sized } from '../../support/basics/size.ts';
import { square, zone } from '../../support/fleet/airspace.ts';
import { fenceOracle } from '../../support/references/fences.ts';

const MARGIN_M = 20;
const heights = { groundAltHaeM: () => 200, haeOfMsl: (msl: number) => msl + 45 };
const blind = { ...heights, groundAltHaeM: () => null };

function refusal(
  of: Parameters<typeof zone>[0],
  from: Geodetic,
  to: Geodetic,
  over: typeof heights | typeof blind = heights,
) {
  const [fence] = fencesOf([zone(of)], over);
  return fence ? keepOutRefusal(localLegOf({ from, to }), fence, MARGIN_M) : null;
}

const home = { latDeg: 48.2, lonDeg: 16.37 };
const at = (azimuthDeg: number, metres: number, altHaeM = 260): Geodetic => ({
  ...positionAt(home, azimuthDeg, metres),
  altHaeM,
});
const tower: Geometry = { type: 'Point', coordinates: [home.lonDeg, home.latDeg], radius_m: 100 };

t.test('a way through, into or too near to a zone is refused, and says which and how', async (t) => {
  t.same(refusal({ geometry: tower }, at(270, 500), at(90, 500)), {
    reason: 'keep_out',
    text: 'the path crosses the keep-out zone Tower',
  });
  t.match(refusal({ geometry: tower }, at(270, 500), at(90, 50)), { reason: 'keep_out' });
  t.match(refusal({ geometry: tower }, at(0, 500), at(0, 115)), {
    text: 'the path comes within 20 m of the keep-out zone Tower',
  });
  t.equal(refusal({ geometry: tower }, at(0, 500), at(0, 121)), null);
  t.equal(refusal({ geometry: tower }, at(0, 500), at(45, 500)), null);
});

t.test('above its ceiling and below its floor it may be passed, by the flying accuracy', async (t) => {
  const over = (altHaeM: number) => [at(270, 500, altHaeM), at(90, 500, altHaeM)] as const;
  const agl = { geometry: tower, floor_m: 20, ceiling_m: 60 };
  t.equal(refusal(agl, ...over(266)), null, '60 m above a ground of 200 m, and six more');
  t.match(refusal(agl, ...over(264)), { reason: 'keep_out' });
  t.equal(refusal(agl, ...over(214)), null);
  t.match(refusal(agl, ...over(216)), { reason: 'keep_out' });
  t.equal(refusal({ ...agl, datum: 'msl' }, ...over(111)), null);
  t.match(refusal({ ...agl, datum: 'msl' }, ...over(100)), { reason: 'keep_out' });
  t.equal(refusal({ ...agl, datum: 'hae' }, ...over(66)), null);
  t.match(refusal({ ...agl, floor_m: 0 }, ...over(100)), { reason: 'keep_out' }, 'from the ground on is from below it');
  t.match(refusal(agl, ...over(5_000), blind), { text: /ground height is unknown/ });
  t.match(refusal(agl, at(270, 500, 300), at(90, 500, 220)), { reason: 'keep_out' }, 'a way that comes down into it');
  t.equal(refusal(agl, at(270, 500, 400), at(90, 120, 290)), null);
});

t.test('what is inside may leave, and only that', async (t) => {
  const inside = { geometry: tower };
  t.equal(refusal(inside, at(0, 50), at(0, 200)), null);
  t.equal(refusal({ ...inside, ceiling_m: 60 }, at(0, 50, 255), at(0, 50, 300)), null, 'by the top');
  t.match(
    refusal(inside, at(0, 50), at(180, 200)),
    { text: 'the path stays in the keep-out zone Tower' },
    'deeper first',
  );
  t.match(refusal(inside, at(0, 50), at(0, 90)), { reason: 'keep_out' }, 'not out');
  t.match(refusal(inside, at(0, 50), at(0, 50)), { reason: 'keep_out' }, 'staying');
  t.equal(refusal(inside, at(0, 110), at(0, 130)), null, 'out of the margin');
});

t.test('a zone that is about others only, or is disabled, is none', async (t) => {
  const others = { affiliations: ['hostile' as const], cooperative: [] };
  t.equal(refusal({ geometry: tower, applies_to: others }, at(270, 500), at(90, 500)), null);
  t.equal(refusal({ geometry: tower, enabled: false }, at(270, 500), at(90, 500)), null);
  const ours = { affiliations: ['friend' as const], cooperative: [] };
  t.match(refusal({ geometry: tower, applies_to: ours }, at(270, 500), at(90, 500)), { reason: 'keep_out' });
});

const middles = fc.oneof(
  fc.tuple(fc.double({ min: -180, max: 180, noNaN: true }), fc.double({ min: -89.9, max: 89.9, noNaN: true })),
  fc.constantFrom<Position>([180, 10], [-180, -60], [0, 90], [77, -90], [179.99, 89.9]),
);
const far = fc.array(fc.double({ min: 200, max: 3_000, noNaN: true }), { minLength: 3, maxLength: 14 });
const shapes = middles.chain((middle): fc.Arbitrary<Geometry> => {
  const [lonDeg, latDeg] = middle;
  const star = far.map((metres): Geometry => {
    const hole = metres.map((m) => m / 3);
    return { type: 'Polygon', coordinates: [starRing(middle, metres), starRing(middle, hole)] };
  });
  const two = fc.tuple(far, far).map(([one, other]): Geometry => {
    const beside = positionAt({ latDeg, lonDeg }, 60, 2_500);
    return {
      type: 'MultiPolygon',
      coordinates: [[starRing(middle, one)], [starRing([beside.lonDeg, beside.latDeg], other)]],
    };
  });
  const circle = fc
    .double({ min: 30, max: 3_000, noNaN: true })
    .map((radius): Geometry => ({ type: 'Point', coordinates: middle, radius_m: radius }));
  const corridor = fc
    .tuple(
      fc.array(fc.tuple(fc.nat(359), fc.nat(3_000)), { minLength: 2, maxLength: 5 }),
      fc.integer({ min: 20, max: 600 }),
    )
    .map(([corners, width]): Geometry => {
      const coordinates = corners.map(([azimuth, metres]): Position => {
        const place = positionAt({ latDeg, lonDeg }, azimuth, metres + 1);
        return [place.lonDeg, place.latDeg];
      });
      return { type: 'LineString', coordinates, width_m: width };
    });
  return fc.oneof(star, two, circle, corridor);
});
const ends = fc.tuple(fc.nat(359), fc.double({ min: 0, max: 4_500, noNaN: true }));

t.test(
  'a way is refused where a dense row of places along it comes into the zone or the margin, and only there',
  async (t) => {
    const property = fc.property(shapes, ends, ends, (geometry, [fromDeg, fromM], [toDeg, toM]) => {
      const oracle = fenceOracle(geometry);
      const [from, to] = [positionAt(oracle.middle, fromDeg, fromM), positionAt(oracle.middle, toDeg, toM)];
      const nearest = oracle.nearestAlong(from, to, 150);
      const begin = oracle.outside(from);
      fc.pre(metresApart(from, to) > 1 && begin > MARGIN_M + 1);
      const refused = refusal({ geometry }, { ...from, altHaeM: 100 }, { ...to, altHaeM: 150 }) !== null;
      // Places are up to sixty metres from each other, so that the way may be nearer by half of that at most.
      const step = metresApart(from, to) / 150;
      if (nearest <= MARGIN_M - 1) return refused;
      return nearest <= MARGIN_M + 1 + step / 2 || !refused;
    });
    t.doesNotThrow(() => fc.assert(property, { seed: seedOf(t), numRuns: sized(100), endOnFailure: true }));
  },
);

t.test('no way out of a zone that is allowed goes deeper or ends inside', async (t) => {
  let allowed = 0;
  const property = fc.property(shapes, ends, ends, (geometry, [fromDeg, fromM], [toDeg, toM]) => {
    const oracle = fenceOracle(geometry);
    // Mostly outward.
    const outward = fromDeg + (toDeg % 60) - 30;
    const [from, to] = [positionAt(oracle.middle, fromDeg, fromM / 2), positionAt(oracle.middle, outward, 1_500 + toM)];
    const begin = oracle.outside(from);
    // Where polygons overlap, an edge of one inside the other is none of the zone's; the oracle takes it for one.
    fc.pre(begin < 0 && geometry.type !== 'MultiPolygon');
    if (refusal({ geometry }, { ...from, altHaeM: 100 }, { ...to, altHaeM: 150 })) return true;
    allowed++;
    // Near a line the oracle, which knows places ten metres from each other, is off by half of that.
    return oracle.outside(to) >= MARGIN_M - 1 && oracle.nearestAlong(from, to, 100) >= begin - 6;
  });
  t.doesNotThrow(() => fc.assert(property, { seed: seedOf(t), numRuns: sized(120), endOnFailure: true }));
  t.ok(allowed > 3, `${allowed} ways out were allowed`);
});

t.test('a zone of a hundred kilometres is right at its edge', async (t) => {
  const wide: Geometry = { type: 'Point', coordinates: [home.lonDeg, home.latDeg], radius_m: 100_000 };
  t.equal(refusal({ geometry: wide }, at(200, 103_000), at(200, 100_021)), null);
  t.match(refusal({ geometry: wide }, at(200, 103_000), at(200, 100_019)), { reason: 'keep_out' });
  const big: Geometry = { type: 'Polygon', coordinates: [square(home, 60_000)] };
  t.match(refusal({ geometry: big }, at(0, 63_000), at(0, 60_019)), { reason: 'keep_out' });
  t.equal(refusal({ geometry: big }, at(0, 63_000), at(0, 61_000)), null);
});

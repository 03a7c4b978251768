import fc from 'fast-check';
import t from 'tap';
import { MOST_POINTS, searchOver } from '../../../../src/command/guidance/paths/search/search.ts';
import { Chart } from '../../../../src/geo/flat/chart.ts';
import { Footprint } from '../../../../src/geo/flat/footprint.ts';
import { distanceToLine } from '../../../../src/geo/flat/lines.ts';
import type { Spot } from '../../../../src/geo/position.ts';
import { middleOf } from '../../../../src/geo/shape/middle.ts';
import type { Geometry, Position } from '../../../../src/model/geometry.ts';
import { positionAt } from '../../../support/basics/place.ts';
import { seedOf } from '../../../support/basics/seed.ts';
import { starRing } from '../../../support/basics/shapes.ts';
import { sized } from '../../../support/basics/size.ts';
import { square } from '../../../support/fleet/airspace.ts';

/**
 * Greatest distance of a place inside the geometry from the path, and greatest distance of a place on the path outside
 * the geometry, m.
 */
function judged(geometry: Geometry, spacingM: number) {
  const { latDeg, lonDeg } = middleOf(geometry);
  const chart = new Chart({ latDeg, lonDeg });
  const found = searchOver(geometry, { spacingM, altHaeM: 100, from: positionAt({ latDeg, lonDeg }, 250, 2_000) });
  if (!found) throw new Error('there is no search');
  const path = found.points.map((place) => chart.spotOf(place));
  const drawn = new Footprint(geometry).on(chart, 1e6);
  if (!drawn) throw new Error('it is not on the chart');
  let [uncovered, outside] = [0, 0];
  const all = [...drawn.polygons.flat(2), ...drawn.line];
  const reach = Math.max(...all.map((spot) => Math.hypot(...spot))) + drawn.halfM;
  const step = reach / 40;
  for (let x = -reach; x <= reach; x += step) {
    for (let y = -reach; y <= reach; y += step) {
      if (drawn.depth([x, y]) < 0) continue;
      let off = Number.POSITIVE_INFINITY;
      for (let i = 0; i + 1 < path.length; i++)
        off = Math.min(off, distanceToLine([x, y], path[i] ?? [0, 0], path[i + 1] ?? [0, 0]));
      uncovered = Math.max(uncovered, off);
    }
  }
  for (let i = 0; i + 1 < path.length; i++) {
    const [[ax, ay], [bx, by]] = [path[i] ?? ([0, 0] as Spot), path[i + 1] ?? ([0, 0] as Spot)];
    const count = Math.ceil(Math.hypot(bx - ax, by - ay) / 20);
    for (let k = 0; k <= count; k++)
      outside = Math.max(outside, -drawn.depth([ax + ((bx - ax) * k) / count, ay + ((by - ay) * k) / count]));
  }
  return { ...found, uncovered, outside };
}

const home = { latDeg: 48.2, lonDeg: 16.37 };
const middles = fc.constantFrom<Position>([16.37, 48.2], [180, 10], [0, 90], [10, 80], [-179.99, -60]);
const far = fc.array(fc.double({ min: 150, max: 1_000, noNaN: true }), { minLength: 3, maxLength: 12 });
const shapes = fc.tuple(middles, far).chain(([middle, metres]): fc.Arbitrary<Geometry> => {
  const hole = metres.map((m) => m / 2.5);
  const [lonDeg, latDeg] = middle;
  const corner = fc.tuple(fc.nat(359), fc.integer({ min: 200, max: 1_000 }));
  return fc.oneof(
    fc.constant<Geometry>({ type: 'Polygon', coordinates: [starRing(middle, metres)] }),
    fc.constant<Geometry>({ type: 'Polygon', coordinates: [starRing(middle, metres), starRing(middle, hole)] }),
    fc.integer({ min: 60, max: 1_000 }).map((radius_m): Geometry => ({ type: 'Point', coordinates: middle, radius_m })),
    fc
      .tuple(fc.array(corner, { minLength: 2, maxLength: 4 }), fc.integer({ min: 20, max: 300 }))
      .map(([corners, width_m]): Geometry => {
        const coordinates = corners.map(([azimuth, m], i): Position => {
          const place = positionAt({ latDeg, lonDeg }, azimuth, m + 7 * i);
          return [place.lonDeg, place.latDeg];
        });
        return { type: 'LineString', coordinates, width_m };
      }),
  );
});

t.test('lanes come within half of their spacing of every place, and stay inside', async (t) => {
  const property = fc.property(shapes, fc.integer({ min: 30, max: 200 }), (geometry, spacing) => {
    const { points, spacingM, uncovered, outside, note } = judged(geometry, spacing);
    if (points.length > MOST_POINTS || (note === null) !== (spacingM === spacing)) return false;
    // From one leg of a corridor to the next it goes straight.
    return uncovered <= (spacingM / 2) * 1.1 && (geometry.type === 'LineString' || outside <= 5);
  });
  t.doesNotThrow(() => fc.assert(property, { seed: seedOf(t), numRuns: sized(60), endOnFailure: true }));
});

t.test('a search begins at the nearest corner and takes wider lanes where there would be too many', async (t) => {
  const yard: Geometry = { type: 'Polygon', coordinates: [square(home, 500)] };
  const from = positionAt(home, 45, 3_000);
  const few = searchOver(yard, { spacingM: 100, altHaeM: 80, from });
  t.equal(few?.note, null);
  const [lonDeg, latDeg] = yard.coordinates[0]?.[0] ?? [0, 0];
  t.ok(
    Math.abs((few?.points[0]?.latDeg ?? 0) - latDeg) < 1e-7 && Math.abs((few?.points[0]?.lonDeg ?? 0) - lonDeg) < 1e-7,
  );
  t.ok((few?.lengthM ?? 0) > 13_000 && (few?.lengthM ?? 0) < 17_000, `${few?.lengthM} m`);
  const many = searchOver(yard, { spacingM: 2, altHaeM: 80, from });
  t.match(many?.note, /m apart instead of 2 m: a mission has at most 200 points/);
  t.ok((many?.points.length ?? 999) <= MOST_POINTS);
});

t.test('two fields are searched one after the other', async (t) => {
  const [one, other] = [square(home, 200), square(positionAt(home, 90, 900), 200)];
  const both: Geometry = { type: 'MultiPolygon', coordinates: [[one], [other]] };
  const { uncovered } = judged(both, 60);
  t.ok(uncovered <= 33, `${uncovered} m`);
});

t.test('an edge of ten thousand corners is searched by the few that matter', async (t) => {
  const ring = starRing(
    [16.37, 48.2],
    Array.from({ length: 9_000 }, (_, i) => 800 + 100 * Math.sin((i * 2 * Math.PI) / 3_000)),
  );
  const began = performance.now();
  const found = searchOver({ type: 'Polygon', coordinates: [ring] }, { spacingM: 60, altHaeM: 80, from: home });
  t.ok(found && found.points.length <= MOST_POINTS);
  t.comment(`${Math.round(performance.now() - began)} ms, ${found?.points.length} points`);
});

import t from 'tap';
import type { Position } from '../../src/model/geometry.ts';
import { AREA } from '../../src/model/rows/layouts.ts';
import type { Place } from '../support/basics/place.ts';
import { randomFrom } from '../support/basics/random.ts';
import { seedOf } from '../support/basics/seed.ts';
import { starRing } from '../support/basics/shapes.ts';
import { drawn, flying } from '../support/references/areas/inputs.ts';
import { type AreaRow, asked, everywhereM, stateRow } from '../support/references/areas/probe.ts';
import { SlowShape } from '../support/references/areas/shape.ts';
import { Inputs } from '../support/references/inputs.ts';

const open = { floorM: -Infinity, ceilingM: Infinity, measured: true, nearM: everywhereM };
const horizonS = 60;
const columns = Object.keys(AREA).filter((name) => name !== 'width') as (keyof AreaRow)[];
const places: readonly Place[] = [
  { lat: 12, lon: 180 },
  { lat: 90, lon: 0 },
  { lat: -60, lon: 20 },
];

/** The largest difference of two rows; what is NaN in one must be so in the other. */
function rowsApart(a: AreaRow | null, b: AreaRow | null): number {
  if (a === null || b === null) return a === b ? 0 : Number.POSITIVE_INFINITY;
  return Math.max(
    ...columns.map((name) => {
      const apart = Math.abs(a[name] - b[name]);
      return Object.is(a[name], b[name]) ? 0 : Number.isNaN(apart) ? Number.POSITIVE_INFINITY : apart;
    }),
  );
}

t.test('a star in two pieces that overlap or touch is the star, in every number', async (t) => {
  const make = new Inputs(randomFrom(seedOf(t)));
  let [worst, what, cases] = [0, '', 0];
  for (; cases < 1_500; cases++) {
    const middle = places[cases % places.length] ?? { lat: 0, lon: 0 };
    const about: Position = [middle.lon, middle.lat];
    // Some are too wide for a plane.
    const radiusM = cases % 5 === 0 ? 200_000 : 4_000;
    const corners = make.whole(6, 20);
    const ring = starRing(
      about,
      make.list(corners, () => radiusM * make.between(0.5, 1)),
      make.between(0, 360),
    );
    const cut = make.whole(3, corners - 3);
    // The second begins some corners earlier: the outline of what both have is told once.
    const shared = make.whole(0, cut - 2);
    const one = [about, ...ring.slice(0, cut + 1), about];
    const other = [about, ...ring.slice(cut - shared), about];
    const whole = { type: 'Polygon' as const, coordinates: [ring] };
    const state = stateRow(flying(make, { shape: whole, middle, radiusM }, 2_000));
    const pieces = { type: 'MultiPolygon' as const, coordinates: [[one], [other]] };
    const rows = [whole, pieces].map((shape) => asked({ shape, ...open }, state, horizonS));
    // At the very end of the horizon, or over a corner, it may or may not be.
    if (rows.some((row) => row && (Math.abs(row.edgeInS - horizonS) < 0.01 || Math.abs(row.distanceM) < 0.1))) continue;
    const apart = rowsApart(rows[0] ?? null, rows[1] ?? null);
    if (apart <= worst) continue;
    [worst, what] = [apart, JSON.stringify({ ring, cut, shared, rows })];
  }
  t.ok(worst < 0.05, `${cases} cases, at most ${worst} apart`, { what });
});

t.test('polygons that lie across each other hold whom one holds, and are entered with the first', async (t) => {
  const make = new Inputs(randomFrom(seedOf(t)));
  const wrong: string[] = [];
  let overlaps = 0;
  for (let i = 0; i < 1_500; i++) {
    const middle = places[i % places.length] ?? { lat: 0, lon: 0 };
    const rings = make.list(make.whole(2, 4), () => {
      const { place } = flying(make, { shape: { type: 'Polygon', coordinates: [] }, middle, radiusM: 2_000 }, 0);
      const distances = make.list(make.whole(4, 12), () => make.between(500, 2_500));
      return starRing([place.lon, place.lat], distances);
    });
    const flight = flying(make, { shape: { type: 'Polygon', coordinates: [] }, middle, radiusM: 5_000 }, 1_000);
    const state = stateRow(flight);
    const shape = { type: 'MultiPolygon' as const, coordinates: rings.map((ring) => [ring]) };
    const all = asked({ shape, ...open }, state, horizonS);
    const each = rings.map((ring) =>
      asked({ shape: { type: 'Polygon', coordinates: [ring] }, ...open }, state, horizonS),
    );
    const least = (name: keyof AreaRow): number =>
      Math.min(...each.map((row) => row?.[name] ?? Number.NaN).filter((value) => !Number.isNaN(value)));
    const inside = each.some((row) => row?.inside === 1);
    if (inside) overlaps++;
    const right =
      all !== null &&
      all.inside === (inside ? 1 : 0) &&
      (inside
        ? all.distanceM <= least('distanceM') + 0.02 && new SlowShape(shape).holds(flight.place)
        : Math.abs(all.distanceM - least('distanceM')) < 0.02 &&
          Math.abs(all.passM - least('passM')) < 0.02 &&
          (Number.isNaN(all.edgeInS) || Math.abs(all.edgeInS - least('edgeInS')) < 0.02));
    const onEdge = each.some((row) => Math.abs(row?.distanceM ?? 0) < 0.1);
    if (!right && !onEdge) wrong.push(JSON.stringify({ rings, flight, all, each }));
  }
  t.ok(overlaps > 120, `${overlaps} flew inside`);
  t.equal(wrong.length, 0, 'of 1500 none is wrong', { first: wrong[0] });
});

t.test('whichever way rings run and wherever they begin, the numbers are the same', async (t) => {
  const make = new Inputs(randomFrom(seedOf(t)));
  let worst = 0;
  for (let i = 0; i < 500; i++) {
    const thing = drawn(make, 20_000);
    if (thing.shape.type !== 'Polygon') continue;
    const state = stateRow(flying(make, thing, 10_000));
    const turned = thing.shape.coordinates.map((ring) => {
      const begin = make.whole(0, ring.length - 2);
      const around = [...ring.slice(begin, -1), ...ring.slice(0, begin)].reverse();
      return [...around, ...around.slice(0, 1)];
    });
    const other = asked({ shape: { type: 'Polygon', coordinates: turned }, ...open }, state, horizonS);
    const one = asked({ shape: thing.shape, ...open }, state, horizonS);
    // Of the sigma of a moment that hardly comes, nothing is left but rounding.
    if (one && (Math.abs(one.distanceM) < 0.1 || Math.abs(one.edgeInS - horizonS) < 0.01)) continue;
    worst = Math.max(worst, rowsApart(one, other));
  }
  t.ok(worst < 0.01, `at most ${worst} apart`);
});

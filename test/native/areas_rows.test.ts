import t from 'tap';
import { Areas, areaStates } from '../../src/core/tracking/areas.ts';
import { Tracker } from '../../src/core/tracking/tracker.ts';
import type { AreaValue } from '../../src/geo/area_columns.ts';
import type { Position } from '../../src/model/geometry.ts';
import { AREA, AREA_HEAD, AREA_STATE, heightRelations, TRACK } from '../../src/model/rows/layouts.ts';
import { ROW_WIDTH } from '../../src/model/track_row.ts';
import { type Place, placeAt } from '../support/basics/place.ts';
import { starRing } from '../support/basics/shapes.ts';
import { type AreaRow, asked, rowAt, stateRow } from '../support/references/areas/probe.ts';
import { at } from '../support/references/matrix.ts';
import { RowWriter } from '../support/sky/row_writer.ts';

const middle: Place = { lat: 60.17, lon: 24.94 };
const open = { floorM: -Infinity, ceilingM: Infinity, measured: true, nearM: 5_000 };
const life = { confirmHits: 2, confirmWindowS: 10, coastS: 5, lostS: 22, closeS: 60 };

const position = ({ lat, lon }: Place): Position => [lon, lat];
const placed = (eastM: number, northM: number): Place => placeAt(placeAt(middle, 90, eastM), 0, northM);
const circle = (place: Place, radiusM: number, more: Partial<AreaValue> = {}): AreaValue => ({
  ...open,
  shape: { type: 'Point', coordinates: position(place), radius_m: radiusM },
  ...more,
});
const flight = (eastM: number, velocity: readonly [number, number, number], altHaeM = 100): Float64Array =>
  stateRow({ place: placed(eastM, 0), altHaeM, velocity });
const rowsOf = (rows: Float64Array): AreaRow[] =>
  Array.from({ length: rows.length / AREA.width }, (_, i) => rowAt(rows, i));

t.test('what a straight approach means can be read off', async (t) => {
  const row = asked(circle(middle, 200), flight(1_200, [-20, 0, 0]), 120);
  t.match(row, { number: 1, thing: 0, inside: 0, passM: 0 });
  const near = (value: number | undefined, to: number) =>
    t.ok(Math.abs((value ?? Number.NaN) - to) < 0.05 + to / 1_000);
  near(row?.distanceM, 1_000);
  near(row?.closingMps, 20);
  near(row?.edgeInS, 50);
  near(row?.passInS, 50);
  near(row?.volumeInS, 50);
  const beside = asked(circle(placed(0, 500), 0), flight(1_000, [-20, 0, 0]), 120);
  near(beside?.passM, 500);
  near(beside?.passInS, 50);
  t.ok(Number.isNaN(beside?.edgeInS), 'it never flies over a point');
  const going = asked(circle(middle, 200), flight(1_200, [20, 0, 0]), 120);
  near(going?.passM, 1_000);
  t.equal(going?.passInS, 0);
  t.ok((going?.closingMps ?? 0) < -19);
  const leaving = asked(circle(middle, 200), flight(100, [20, 0, 0]), 120);
  t.match(leaving, { inside: 1, passM: 0, volumeInS: 0 });
  near(leaving?.edgeInS, 5);
});

t.test('floor and ceiling: where it is, and when it is between them too', async (t) => {
  const under = { floorM: 200, ceilingM: 400 };
  const relation = (row: AreaRow | null): string => heightRelations[row?.height ?? -1] ?? '';
  const climbing = asked(circle(middle, 500, under), flight(0, [0, 0, 5]), 120);
  t.equal(relation(climbing), 'below');
  t.ok(Math.abs((climbing?.verticalM ?? 0) + 100) < 1e-6);
  t.ok(Math.abs((climbing?.volumeInS ?? 0) - 20) < 1e-6, 'over the place it waits to be high enough');
  const level = asked(circle(middle, 500, under), flight(0, [0, 0, 0]), 120);
  t.ok(Number.isNaN(level?.volumeInS));
  const above = asked(circle(middle, 500, under), flight(1_500, [-20, 0, -2], 500), 120);
  t.match([relation(above), Math.round(above?.verticalM ?? 0)], ['above', 100]);
  t.ok(Math.abs((above?.volumeInS ?? 0) - 50) < 0.1, 'at the edge it is down already');
  const through = asked(circle(middle, 500, under), flight(1_500, [-20, 0, -10], 500), 120);
  t.ok(Number.isNaN(through?.volumeInS), 'it is through before it gets there');
  const unknown = asked(circle(middle, 500, under), flight(1_500, [-20, 0, 0], Number.NaN), 120);
  t.equal(relation(unknown), 'unknown');
  t.ok(Number.isNaN(unknown?.verticalM) && Math.abs((unknown?.volumeInS ?? 0) - 50) < 0.1);
});

t.test('of what is not measured for threat only being inside and near is told', async (t) => {
  const clutter = circle(middle, 300, { measured: false, nearM: 20 });
  t.equal(asked(clutter, flight(1_000, [-100, 0, 0]), 120), null, 'what will be is nothing to it');
  const inside = asked(clutter, flight(100, [5, 0, 0]), 120);
  t.equal(inside?.inside, 1);
  t.ok(Number.isNaN(inside?.closingMps) && Number.isNaN(inside?.edgeInS));
  t.equal(asked(clutter, flight(310, [0, 0, 0]), 120)?.inside, 0);
});

t.test('things are told nearest first, ties by their number, as many as there is room for', async (t) => {
  const areas = new Areas(1);
  const alike = Array.from({ length: 6 }, () => circle(middle, 100));
  const others = Array.from({ length: 40 }, (_, i) => circle(placed(-50 * (40 - i), 0), 10));
  const clutter = Array.from({ length: 12 }, (_, i) => circle(middle, 1_000 + i, { measured: false, nearM: 0 }));
  areas.set([...others, ...alike, ...clutter]);
  const { heads, rows } = areas.measureStates(flight(500, [0, 0, 0]), 60);
  const told = rowsOf(rows);
  const measured = told.slice(0, Areas.mostMeasured);
  t.equal(heads[AREA_HEAD.measured], Areas.mostMeasured);
  t.equal(heads[AREA_HEAD.contained], Areas.mostContained);
  t.equal(heads[AREA_HEAD.more], 46 + 12 - told.length);
  t.same(
    measured.slice(0, 6).map(({ thing }) => thing),
    [40, 41, 42, 43, 44, 45],
  );
  t.same(
    measured.slice(6).map(({ thing }) => thing),
    [39, 38].slice(0, Areas.mostMeasured - 6),
  );
  t.same(
    told.slice(Areas.mostMeasured).map(({ thing }) => thing),
    [46, 47, 48, 49, 50, 51, 52, 53],
    'how deep it is in them does not count',
  );
});

t.test('a small thing is told of before large ones that it lies in, where it has the lesser number', async (t) => {
  const areas = new Areas(1);
  const large = Array.from({ length: 20 }, (_, i) => circle(middle, 3_000 + 100 * i));
  areas.set([circle(middle, 200), ...large]);
  const { rows } = areas.measureStates(flight(0, [0, 0, 0]), 60);
  t.match(rowsOf(rows)[0], { thing: 0, inside: 1 });
});

t.test('every track that has a place has a head, and states and tracks are measured alike', async (t) => {
  const tracker = new Tracker({ ...life, maxTracks: 50 }, { latDeg: middle.lat, lonDeg: middle.lon, altHaeM: 20 }, 0);
  const areas = new Areas(50);
  const ring = starRing(position(middle), [700, 900, 600, 800, 750]);
  const line = {
    type: 'LineString' as const,
    coordinates: [placed(-3_000, 900), placed(3_000, 1_200)].map(position),
    width_m: 300,
  };
  areas.set([
    { ...open, shape: { type: 'Polygon', coordinates: [ring] } },
    { ...open, shape: line },
    circle(middle, 0),
  ]);
  t.equal(areas.measure(tracker, 1, 60).heads.length, 0);
  const writer = new RowWriter(40, 0);
  for (let i = 0; i < 40; i++) {
    const { lat, lon } = placed(4_000 * Math.sin(i), 3_000 * Math.cos(3 * i));
    const velocity = [15 * Math.sin(2 * i), 15 * Math.cos(i), i % 3] as const;
    writer.fix({ timeS: 1, receivedS: 1 }, i, { latDeg: lat, lonDeg: lon, altHaeM: 100 + i }, velocity);
  }
  tracker.step(writer.rows, 1);
  const told = tracker.report(1, new Float64Array(0), 40).slice();
  const measured = areas.measure(tracker, 1, 60);
  const [heads, rows] = [measured.heads.slice(), measured.rows.slice()];
  t.equal(heads.length / AREA_HEAD.width, 40);
  t.same(areas.measure(tracker, 1, 60), { heads, rows }, 'the same again');
  const left = new Set<number>([AREA.distanceSigmaM, AREA.passSigmaM, AREA.passInSigmaS, AREA.edgeInSigmaS]);
  const brief = rows.map((value, i) => (left.has(i % AREA.width) ? Number.NaN : value));
  t.same(areas.measure(tracker, 1, 60, null, { brief: true }), { heads, rows: brief }, 'in brief, but for sigmas');

  const states = areaStates(40);
  for (let i = 0; i < 40; i++) {
    const row = told.subarray(i * ROW_WIDTH);
    const { latDeg, lonDeg, altHaeM, eastMps, northMps, upMps } = TRACK;
    states.set(
      [TRACK.number, latDeg, lonDeg, altHaeM, eastMps, northMps, upMps].map((column) => at([...row], column)),
      i * AREA_STATE.width,
    );
    states.set(row.subarray(TRACK.covEeM2, TRACK.covEeM2 + 6), i * AREA_STATE.width + AREA_STATE.covPlaceM2);
  }
  const again = areas.measureStates(states, 60);
  t.same(again.heads, heads);
  const { passSigmaM, passInSigmaS, edgeInSigmaS, volumeInSigmaS } = AREA;
  const withVelocity: readonly number[] = [passSigmaM, passInSigmaS, edgeInSigmaS, volumeInSigmaS];
  const worst = rows.reduce((most, value, i) => {
    // A track's row tells no covariance of the velocity.
    if (withVelocity.includes(i % AREA.width) || Object.is(value, again.rows[i])) return most;
    return Math.max(most, Math.abs(value - at([...again.rows], i)));
  }, 0);
  t.ok(worst < 1e-5, `at most ${worst} apart`);
});

t.test('what is wrong with things is said in a sentence, and those before stay', async (t) => {
  const areas = new Areas(1);
  const there = circle(middle, 100);
  areas.set([there]);
  const square = starRing(position(middle), [100, 100, 100, 100]);
  const polygon = (...coordinates: Position[][]): AreaValue => ({ ...open, shape: { type: 'Polygon', coordinates } });
  const wrong: [AreaValue[], RegExp][] = [
    [[there, polygon(square.slice(0, -1))], /a ring is not closed.*index of the area is 1/],
    [[polygon([...square.slice(0, 2), ...square.slice(0, 1)])], /a ring is not closed/],
    [[polygon([])], /a ring is not closed/],
    [[polygon([[0, 95], ...square.slice(1)])], /invalid latitude or longitude/],
    [[circle({ lat: Number.NaN, lon: 0 }, 10)], /invalid latitude or longitude/],
    [[circle(middle, -1)], /out of its range/],
    [[circle(middle, 10, { floorM: 10, ceilingM: 5 })], /out of its range/],
    [[circle(middle, 10, { floorM: Number.NaN })], /out of its range/],
    [[polygon(starRing([0, 0], [9e6, 9e6, 9e6, 9e6]))], /60 degrees/],
    [Array.from({ length: 1_001 }, () => there), /more than 1000 areas/],
    [
      Array.from({ length: 20 }, () =>
        polygon(
          starRing(
            [0, 0],
            Array.from({ length: 5_001 }, () => 500),
          ),
        ),
      ),
      /positions/,
    ],
    [
      [
        polygon(
          starRing(
            [0, 0],
            Array.from({ length: 10_001 }, () => 500),
          ),
        ),
      ],
      /positions/,
    ],
  ];
  const knot = Array.from({ length: 500 }, (_, i) => [
    starRing(
      position(middle),
      Array.from({ length: 8 }, () => 5_000),
      i / 12,
    ),
  ]);
  wrong.push([[{ ...open, shape: { type: 'MultiPolygon', coordinates: knot } }], /cross each other too often/]);
  for (const [things, sentence] of wrong) t.throws(() => areas.set(things), { message: sentence });
  t.equal(areas.measureStates(flight(0, [0, 0, 0]), 60).rows.length, AREA.width);
  areas.set([]);
  t.equal(areas.measureStates(flight(0, [0, 0, 0]), 60).rows.length, 0);
});

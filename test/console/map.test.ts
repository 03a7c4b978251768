import fc from 'fast-check';
import t from 'tap';
import {
  type Camera,
  distanceAndCourse,
  fitted,
  LEAST_ZOOM,
  metresPerPx,
  placeAt,
  project,
  type Spot,
  unitOf,
  unproject,
  zoomed,
} from '../../src/console/map/camera.ts';
import { chosen } from '../../src/console/map/chosen_map.ts';
import { ringOf, shapeOf } from '../../src/console/map/coast.ts';
import { groupsOf } from '../../src/console/map/groups.ts';
import { isFar, type Label, placeLabels } from '../../src/console/map/labels.ts';
import { nextPicked, picked } from '../../src/console/map/pick.ts';
import { allSidcs, sidcOf } from '../../src/console/map/sidc.ts';
import { planShapes } from '../../src/console/state/plan_shapes.ts';
import type { BaseMap } from '../../src/model/base_map.ts';
import type { Engagement } from '../../src/model/engagement.ts';
import { affiliations, trackStates } from '../../src/model/track.ts';

const places = fc.record({
  lat: fc.double({ min: -84, max: 84, noNaN: true }),
  lon: fc.double({ min: -180, max: 179.9, noNaN: true }),
});
const cameras: fc.Arbitrary<Camera> = fc
  .tuple(places, fc.double({ min: LEAST_ZOOM, max: 18, noNaN: true }))
  .map(([place, zoom]) => ({ ...place, zoom, widthPx: 1_000, heightPx: 700 }));
const near = (a: Spot, b: Spot, px = 0.01): boolean => Math.hypot(a[0] - b[0], a[1] - b[1]) < px;

t.test('a pixel and its place are each the other’s', async () => {
  fc.assert(
    fc.property(cameras, fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 699 }), (camera, x, y) => {
      const place = unproject(camera, [x, y]);
      // Beyond the cut of the projection, and a world away, a pixel has no place of its own.
      if (Math.abs(place.lat) > 84 || camera.zoom < 3) return;
      return near(project(camera, place), [x, y], 0.5);
    }),
  );
});

t.test('a zoom leaves the place under the pointer where it is', async () => {
  fc.assert(
    fc.property(cameras, fc.integer({ min: 400, max: 600 }), fc.integer({ min: 300, max: 400 }), (camera, x, y) => {
      fc.pre(camera.zoom > 5 && Math.abs(camera.lat) < 80);
      const place = unproject(camera, [x, y]);
      return near(project(zoomed(camera, camera.zoom + 1, [x, y]), place), [x, y], 0.5);
    }),
  );
});

t.test('all places of a site are in view, on the antimeridian too', async (t) => {
  const camera = { lat: 0, lon: 0, zoom: 2, widthPx: 1_000, heightPx: 700 };
  for (const site of [
    [
      { lat: 52, lon: 4 },
      { lat: 52.1, lon: 4.3 },
    ],
    [
      { lat: -17, lon: 179.98 },
      { lat: -17.1, lon: -179.95 },
    ],
  ]) {
    const fit = fitted(camera, site);
    for (const place of site) {
      const [x, y] = project(fit, place);
      t.ok(x >= 59 && x <= 941 && y >= 59 && y <= 641, JSON.stringify([x, y]));
    }
    t.ok(fit.zoom > 9);
  }
});

t.test('a place at a distance is at that distance, in pixels too', async (t) => {
  const from = { lat: 52, lon: 4 };
  const to = placeAt(from, 1_000, 30);
  const { distanceM, courseDeg } = distanceAndCourse(from, to);
  t.ok(Math.abs(distanceM - 1_000) < 0.01 && Math.abs(courseDeg - 30) < 0.01);
  const camera = { ...from, zoom: 14, widthPx: 1_000, heightPx: 700 };
  const [x, y] = project(camera, to);
  t.ok(Math.abs(Math.hypot(x - 500, y - 350) * metresPerPx(camera) - 1_000) < 5);
});

const labels: fc.Arbitrary<Label[]> = fc
  .array(
    fc.tuple(fc.integer({ max: 800, min: 0 }), fc.integer({ max: 600, min: 0 }), fc.integer({ max: 120, min: 20 })),
    {
      maxLength: 120,
    },
  )
  .map((all) =>
    all.map(([x, y, widthPx], index) => ({
      ...{ id: String(index), spot: [x, y] as const, widthPx, heightPx: 17 + 15 * (index % 3), priority: index % 7 },
      hasLine: index % 2 === 0,
    })),
  );

t.test('no label lies over another or over a symbol, and the same input gives the same places', async () => {
  fc.assert(
    fc.property(labels, (all) => {
      const symbols = all.map(({ spot }) => spot);
      const placed = placeLabels(all, symbols, new Map());
      const boxes = placed.map(({ id, leftPx, topPx }) => {
        const { widthPx, heightPx } = all[Number(id)] as Label;
        return { left: leftPx, top: topPx, right: leftPx + widthPx, bottom: topPx + heightPx };
      });
      const apart = boxes.every((a, i) =>
        boxes.every(
          (b, j) => i === j || a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top,
        ),
      );
      const clear = boxes.every((box) =>
        symbols.every(
          ([x, y]) => x + 11 <= box.left || x - 11 >= box.right || y + 11 <= box.top || y - 11 >= box.bottom,
        ),
      );
      const again = placeLabels(all, symbols, new Map(placed.map(({ id, slot }) => [id, slot])));
      const stays = placed.every(({ id, slot }) => again.find((one) => one.id === id)?.slot === slot);
      return apart && clear && stays;
    }),
  );
});

t.test('a label stands alone in its first slot, and the selected track keeps its label in a crowd', async (t) => {
  const one: Label = { id: 'a', spot: [100, 100], widthPx: 40, heightPx: 17, priority: 0 };
  t.equal(placeLabels([one], [one.spot], new Map())[0]?.slot, 0);
  const crowd = Array.from({ length: 80 }, (_, index) => ({
    ...one,
    id: `c${index}`,
    spot: [100 + index, 100] as const,
  }));
  const placed = placeLabels(
    [...crowd, { ...one, priority: 1_000 }],
    crowd.map(({ spot }) => spot),
    new Map(),
  );
  t.ok(placed.some(({ id }) => id === 'a'));
  t.ok(placed.length < 81);
});

t.test('a label with a line is further away where no near slot is free, and comes back', async (t) => {
  const one: Label = { id: 'a', spot: [100, 100], widthPx: 40, heightPx: 17, priority: 0 };
  const crowd = [
    one.spot,
    [80, 80],
    [120, 80],
    [80, 120],
    [120, 120],
    [100, 78],
    [100, 122],
    [70, 100],
    [130, 100],
  ] as const;
  t.same(placeLabels([one], crowd, new Map()), [], 'without a line it is left out');
  const [far] = placeLabels([{ ...one, hasLine: true }], crowd, new Map());
  t.ok(far && isFar(far.slot));
  const [back] = placeLabels([{ ...one, hasLine: true }], [one.spot], new Map([['a', far?.slot ?? 0]]));
  t.notOk(back && isFar(back.slot));
});

t.test('a label covers the name of an area only where it has no other slot', async (t) => {
  const one: Label = { id: 'a', spot: [100, 100], widthPx: 40, heightPx: 17, priority: 0 };
  const right = { left: 110, top: 90, right: 200, bottom: 110 };
  t.not(placeLabels([one], [one.spot], new Map(), [right])[0]?.slot, 0, 'the slot to the right is under a name');
  const everywhere = { left: 0, top: 0, right: 300, bottom: 300 };
  t.equal(placeLabels([one], [one.spot], new Map(), [everywhere])[0]?.slot, 0, 'a track is never without its label');
});

t.test('no label is placed below a button or across an edge of the map', async (t) => {
  const one: Label = { id: 'a', spot: [100, 100], widthPx: 40, heightPx: 17, priority: 0 };
  const right = { left: 110, top: 90, right: 200, bottom: 110 };
  t.not(placeLabels([one], [one.spot], new Map(), [], [right])[0]?.slot, 0, 'the slot to the right is below a button');
  const everywhere = { left: 0, top: 0, right: 300, bottom: 300 };
  t.same(placeLabels([one], [one.spot], new Map(), [], [everywhere]), [], 'the list still has the track');
});

t.test('a coast is the same after it was written and read, within a step', async () => {
  fc.assert(
    fc.property(fc.array(places, { minLength: 1, maxLength: 40 }), (ring) => {
      const { points, left, right, top, bottom } = shapeOf(ringOf(ring));
      return ring.every((place, index) => {
        const [x, y] = [points[2 * index] ?? Number.NaN, points[2 * index + 1] ?? Number.NaN];
        const isIn = x >= left && x <= right && y >= top && y <= bottom;
        return isIn && near([x, y], unitOf(place), 1e-5);
      });
    }),
  );
});

const baseMap: BaseMap = {
  ...{ id: 'site', file: 'site.pmtiles', name: 'Site', format: 'pmtiles', kind: 'vector', tile_type: 'mvt' },
  ...{ min_zoom: 0, max_zoom: 15, bounds: [8, 47, 9, 48], attribution: null, bytes: 1, state: 'ready', error: null },
  version: '1',
};

t.test('the most detailed base map of the site is drawn, or the one that a person chose', async (t) => {
  const site = { lat: 47.4, lon: 8.5 };
  const coarse = { ...baseMap, id: 'country', max_zoom: 12, bounds: [5, 45, 11, 48] };
  const far = { ...baseMap, id: 'far', max_zoom: 18, bounds: [170, -20, -170, 10] };
  const broken = { ...baseMap, id: 'broken', max_zoom: 20, state: 'unreadable' as const };
  const all = [coarse, far, broken, baseMap];
  t.equal(chosen(all, 'auto', site)?.id, 'site');
  t.equal(chosen(all, 'country', site)?.id, 'country');
  t.equal(chosen(all, 'gone', site)?.id, 'site', 'a map that was removed leaves the choice to the console');
  t.equal(chosen(all, 'broken', site)?.id, 'site', 'and so does one that cannot be read');
  t.equal(chosen(all, 'none', site), null);
  t.equal(chosen(all, 'auto', { lat: -10, lon: 175 })?.id, 'far', 'over the antimeridian');
  t.equal(chosen(all, 'auto', { lat: 0, lon: 0 }), null, 'none holds the site');
});

t.test(
  'the way of each plan that can be approved is drawn, then of the one that was, and none when it is over',
  async (t) => {
    const vehicle = { lat: 47.1, lon: 8.1 };
    const track = { lat: 47.2, lon: 8.2 };
    const places = { ofVehicle: () => vehicle, ofTrack: () => track };
    const leg = { asset_id: 'a', verb: 'shadow', params: { kind: 'track', track_id: 't', standoff_m: 100 } };
    const plan = (id: string, feasible: boolean) => ({ id, feasible, track_id: 't', legs: [leg] });
    const of = (state: Engagement['state']) =>
      ({ state, candidates: [plan('p', true), plan('q', true), plan('r', false)], chosen_plan_id: 'q' }) as never;
    const shape = { from: vehicle, to: track, standoffM: 100, trackId: 't', isFlown: false };
    t.same(planShapes([of('proposed')], places), [shape, shape]);
    t.same(planShapes([of('executing')], places), [{ ...shape, isFlown: true }]);
    t.same(planShapes([of('expired')], places), []);
    t.same(planShapes([of('proposed')], { ...places, ofTrack: () => null }), [], 'a track without a place');
  },
);

t.test('three or more on one spot are one symbol', async (t) => {
  const at = (x: number) => ({ spot: [x, 50] as const });
  t.same(
    groupsOf([at(10), at(11), at(12), at(300)]).map(({ members }) => members.length),
    [3, 1],
  );
  t.same(
    groupsOf([at(10), at(11)]).map(({ members }) => members.length),
    [1, 1],
  );
});

t.test('a second click selects the track beneath', async (t) => {
  const found = picked(
    [
      { id: 'far', spot: [100, 100] },
      { id: 'near', spot: [10, 10] },
      { id: 'nearest', spot: [12, 10] },
    ],
    [13, 10],
  );
  t.same(found, ['nearest', 'near']);
  t.equal(nextPicked(found, null), 'nearest');
  t.equal(nextPicked(found, 'nearest'), 'near');
  t.equal(nextPicked(found, 'near'), 'nearest');
  t.equal(nextPicked([], 'near'), null);
});

t.test('every track has a symbol that was drawn at build time', async (t) => {
  const all = new Set(allSidcs());
  for (const affiliation of affiliations)
    for (const state of trackStates)
      for (const type of ['multirotor', 'bird', 'crewed_aircraft', 'other', null] as const) {
        const classification = type === null ? [] : [{ type, confidence: 0.9 }];
        t.ok(all.has(sidcOf({ affiliation, state, classification })), `${affiliation} ${state} ${type}`);
      }
});

t.test('a track that is found at its symbol and at its pilot is found once', async (t) => {
  const objects = [
    { id: 'track', spot: [0, 10] as Spot },
    { id: 'track', spot: [0, 2] as Spot },
    { id: 'other', spot: [0, 6] as Spot },
  ];
  t.same(picked(objects, [0, 0]), ['track', 'other']);
});

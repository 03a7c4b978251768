import t from 'tap';
import { heightsOf, type Volume } from '../../src/console/editor/heights.ts';
import { isOver, middleOf } from '../../src/console/editor/over.ts';
import { apartDown, scaleOf } from '../../src/console/editor/scale.ts';
import type { Geometry } from '../../src/model/geometry.ts';
import type { Region } from '../../src/model/region.ts';
import type { Track } from '../../src/model/track.ts';

const ringOf = (west: number, south: number, east: number, north: number): [number, number][] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const square: Geometry = { type: 'Polygon', coordinates: [ringOf(8, 47, 8.1, 47.1)] };
const noHeights = { alt_hae_m: null, alt_msl_m: null, alt_agl_m: null, height_takeoff_m: null };
const trackAt = (number: string, heights: object, lat = 47.05, lon = 8.05): Track =>
  ({ number, state: 'confirmed', position: { lat, lon, ...noHeights, ...heights } }) as Track;
const regionOf = (geometry: Geometry, groundM: number | null): Region =>
  ({ geometry, ground_alt_hae_m: groundM }) as Region;
const volume = (part: Partial<Volume>): Volume => ({
  ...{ geometry: square, floorM: null, ceilingM: null, datum: 'agl', openM: 1_000 },
  ...part,
});

t.test('a place is over an outline, not in its hole, and across the antimeridian too', async (t) => {
  const holed: Geometry = {
    type: 'Polygon',
    coordinates: [ringOf(8, 47, 8.1, 47.1), ringOf(8.04, 47.04, 8.06, 47.06)],
  };
  t.ok(isOver(square, { lat: 47.05, lon: 8.05 }));
  t.notOk(isOver(square, { lat: 47.05, lon: 8.2 }));
  t.notOk(isOver(square, { lat: 47.2, lon: 8.05 }));
  t.ok(isOver(holed, { lat: 47.02, lon: 8.02 }));
  t.notOk(isOver(holed, { lat: 47.05, lon: 8.05 }));
  const across: Geometry = { type: 'Polygon', coordinates: [ringOf(179.9, 0, -179.9, 0.2)] };
  t.ok(isOver(across, { lat: 0.1, lon: 179.95 }));
  t.ok(isOver(across, { lat: 0.1, lon: -179.95 }));
  t.notOk(isOver(across, { lat: 0.1, lon: 0 }));
  t.ok(Math.abs(Math.abs(middleOf(across).lon) - 180) < 0.1);
  t.ok(isOver({ type: 'Point', coordinates: [8, 47], radius_m: 300 }, { lat: 47.002, lon: 8 }));
  const corridor: Geometry = {
    type: 'LineString',
    coordinates: [
      [8, 47],
      [8.1, 47],
    ],
    width_m: 400,
  };
  t.ok(isOver(corridor, { lat: 47.001, lon: 8.05 }));
  t.notOk(isOver(corridor, { lat: 47.003, lon: 8.05 }));
});

t.test('a track is inside, above or below by its height over the datum, or counts as inside without one', async (t) => {
  const tracks = [
    trackAt('low', { alt_agl_m: 10 }),
    trackAt('mid', { height_takeoff_m: 60 }),
    trackAt('high', { alt_agl_m: 200 }),
    trackAt('mute', {}),
    trackAt('away', { alt_agl_m: 60 }, 48),
  ];
  const sides = (part: Partial<Volume>) =>
    Object.fromEntries(heightsOf(volume(part), [], tracks).marks.map(({ number, side }) => [number, side]));
  t.same(sides({ floorM: 30, ceilingM: 120 }), { high: 'above', mid: 'inside', low: 'below', mute: 'unknown' });
  t.same(sides({ floorM: 0, openM: 150 }), { high: 'above', mid: 'inside', low: 'inside', mute: 'unknown' });
});

t.test('the ground is that of the smallest region, and above the sea by a track that has both heights', async (t) => {
  const inner: Geometry = { type: 'Polygon', coordinates: [ringOf(8.02, 47.02, 8.08, 47.08)] };
  const regions = [regionOf(square, 500), regionOf(inner, 480), regionOf(inner, null)];
  const tracks = [trackAt('one', { alt_hae_m: 548, alt_msl_m: 500 })];
  t.equal(heightsOf(volume({ datum: 'hae' }), regions, []).groundM, 480);
  t.equal(heightsOf(volume({ datum: 'msl' }), regions, tracks).groundM, 432);
  t.equal(heightsOf(volume({ datum: 'msl' }), regions, []).groundM, null);
  const far = tracks.map((one) => ({
    ...one,
    position: one.position && { ...one.position, lat: one.position.lat + 0.2 },
  }));
  t.equal(heightsOf(volume({ datum: 'msl' }), regions, far).groundM, null, 'the geoid differs 22 km away');
  t.equal(heightsOf(volume({ datum: 'hae' }), [], tracks).groundM, null);
  const [mark] = heightsOf(volume({ datum: 'hae' }), regions, [trackAt('two', { alt_agl_m: 70 })]).marks;
  t.equal(mark?.heightM, 550, 'from the height above ground where nothing else is known');
});

t.test('the scale has ground, floor and ceiling in it; what is beyond stays at its edge', async (t) => {
  const { yOf } = scaleOf({ floorM: 520, ceilingM: 600 }, 480, [0, 100]);
  const ys = [10_000, 600, 520, 480, -50].map(yOf);
  t.same(
    ys.toSorted((a, b) => a - b),
    ys,
  );
  t.equal(ys[0], 0);
  t.equal(ys.at(-1), 100);
  t.same(apartDown([10, 12, 99], 15, 100), [10, 25, 99]);
  t.same(apartDown([90, 95, 100], 15, 100), [70, 85, 100]);
});

import fc from 'fast-check';
import t from 'tap';
import { pastedOutline } from '../../src/console/editor/geojson.ts';
import { seedOf } from '../support/basics/seed.ts';

const position = fc.tuple(
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.double({ min: -90, max: 90, noNaN: true }),
);
const ways: ((geometry: object) => object)[] = [
  (geometry) => geometry,
  (geometry) => ({ type: 'Feature', properties: { name: 'Depot' }, geometry }),
  (geometry) => ({ type: 'FeatureCollection', features: [{ type: 'Feature', properties: null, geometry }] }),
];

t.test('a ring, a line and a circle are taken from whatever they are wrapped in, without heights', async (t) => {
  fc.assert(
    fc.property(fc.array(position, { minLength: 3, maxLength: 20 }), fc.constantFrom(...ways), (points, wrap) => {
      const open = points.filter(([lon, lat]) => lon !== points[0]?.[0] || lat !== points[0]?.[1]);
      const outline = [points[0], ...open].map((point) => [...(point ?? [0, 0])] as [number, number]);
      const high = outline.map(([lon, lat]) => [lon, lat, 120]);
      const text = (geometry: object): string => JSON.stringify(wrap(geometry));
      const same = JSON.parse(JSON.stringify(outline));
      t.strictSame(pastedOutline(text({ type: 'Polygon', coordinates: [[...high, high[0]]] })), {
        ...{ shape: 'polygon', points: same, sizeM: null },
      });
      t.strictSame(pastedOutline(text({ type: 'LineString', coordinates: high, width_m: 40 })), {
        ...{ shape: 'corridor', points: same, sizeM: 40 },
      });
      t.strictSame(pastedOutline(text({ type: 'Point', coordinates: high[0] })), {
        ...{ shape: 'circle', points: same.slice(0, 1), sizeM: null },
      });
    }),
    { seed: seedOf(t), numRuns: 100 },
  );
});

t.test('what is no outline is refused with its reason, and never throws', async (t) => {
  for (const [text, said] of [
    ['', { why: 'noJson' }],
    ['{', { why: 'noJson' }],
    ['7', { why: 'noGeojson' }],
    ['null', { why: 'noGeojson' }],
    ['{"type":"FeatureCollection","features":[]}', { why: 'oneFeature' }],
    ['{"type":"Feature","geometry":null}', { why: 'noGeojson' }],
    ['{"type":"MultiPolygon","coordinates":[]}', { why: 'types' }],
    ['{"type":"Polygon","coordinates":[[],[]]}', { why: 'oneRing' }],
    ['{"type":"Polygon","coordinates":[[[8,47],[8,91],[9,47]]]}', { why: 'badPosition', position: 2 }],
    ['{"type":"LineString","coordinates":[[8,47],"x"]}', { why: 'badPosition', position: 2 }],
    ['{"type":"LineString"}', { why: 'noCoordinates' }],
    ['{"type":"Point","coordinates":["8","47"]}', { why: 'badPosition', position: 1 }],
  ] as const)
    t.strictSame(pastedOutline(text), said, text);
  fc.assert(
    fc.property(fc.json(), (text) => {
      const pasted = pastedOutline(text);
      if (!('why' in pasted)) t.ok(pasted.points.length > 0);
    }),
    { seed: seedOf(t), numRuns: 300 },
  );
});

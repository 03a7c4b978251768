import fc from 'fast-check';
import t from 'tap';
import { Outline } from '../../src/geo/shape/outline.ts';
import { vectorOf } from '../../src/geo/shape/plane.ts';
import type { Position } from '../../src/model/geometry.ts';
import { placeAt } from '../support/basics/place.ts';
import { seedOf } from '../support/basics/seed.ts';
import { starRing } from '../support/basics/shapes.ts';
import { sized } from '../support/basics/size.ts';

const middles = fc.oneof(
  fc.tuple(fc.double({ min: -180, max: 180, noNaN: true }), fc.double({ min: -90, max: 90, noNaN: true })),
  fc.constantFrom<Position>([180, 10], [-180, -60], [0, 90], [77, -90], [179.99, 89.9]),
);
const distances = fc.array(fc.double({ min: 300, max: 9_000, noNaN: true }), { minLength: 3, maxLength: 60 });

function holds(outline: Outline, [lon, lat]: Position, azimuthDeg: number, metres: number): boolean {
  const place = placeAt({ lat, lon }, azimuthDeg, metres);
  return outline.contains(vectorOf([place.lon, place.lat]));
}

t.test(
  'towards each corner of a star, places before it are inside, those in its hole and beyond it are not',
  async (t) => {
    const property = fc.property(middles, distances, fc.nat(), fc.boolean(), (middle, far, any, turned) => {
      const outer = starRing(middle, far);
      const hole = starRing(
        middle,
        far.map((metres) => metres / 3),
      );
      const coordinates = [turned ? outer.reverse() : outer, hole];
      const outlines = [
        new Outline({ type: 'Polygon', coordinates }),
        new Outline({ type: 'MultiPolygon', coordinates: [coordinates] }),
      ];
      const corner = any % far.length;
      const [azimuth, metres] = [(360 * corner) / far.length, far[corner] ?? 0];
      return outlines.every(
        (outline) =>
          holds(outline, middle, azimuth, metres * 0.97) &&
          holds(outline, middle, azimuth, metres * 0.36) &&
          !holds(outline, middle, azimuth, metres * 0.3) &&
          !holds(outline, middle, azimuth, metres * 1.03) &&
          !holds(outline, middle, azimuth, 5_000_000),
      );
    });
    t.doesNotThrow(() => fc.assert(property, { seed: seedOf(t), numRuns: sized(400) }));
  },
);

t.test('a circle holds what is nearer than its radius', async (t) => {
  const radii = fc.double({ min: 1, max: 100_000, noNaN: true });
  const property = fc.property(middles, radii, fc.double({ min: 0, max: 360, noNaN: true }), (middle, radius, turn) => {
    const outline = new Outline({ type: 'Point', coordinates: middle, radius_m: radius });
    // The sphere is within 0.6 % of the ellipsoid.
    return holds(outline, middle, turn, radius * 0.99) && !holds(outline, middle, turn, radius * 1.01);
  });
  t.doesNotThrow(() => fc.assert(property, { seed: seedOf(t), numRuns: sized(400) }));
});

import type { AreaValue } from '../../../../src/geo/area_columns.ts';
import type { Position } from '../../../../src/model/geometry.ts';
import { type Place, placeAt } from '../../basics/place.ts';
import { starRing } from '../../basics/shapes.ts';
import type { Inputs } from '../inputs.ts';

type Shape = AreaValue['shape'];
export type Drawn = { shape: Shape; middle: Place; radiusM: number };
export type State = { place: Place; altHaeM: number; velocity: readonly [number, number, number] };

const special: readonly Place[] = [
  { lat: 10, lon: 180 },
  { lat: -55, lon: -180 },
  { lat: 90, lon: 0 },
  { lat: -90, lon: 0 },
  { lat: 89.95, lon: 100 },
  { lat: 0, lon: 0 },
];

/** Where things are drawn: anywhere, and often at the antimeridian and the poles. */
export function anywhere(make: Inputs): Place {
  const one = special[make.whole(0, 2 * special.length)];
  return one ?? { lat: (Math.asin(make.between(-1, 1)) * 180) / Math.PI, lon: make.between(-180, 180) };
}

export function drawn(make: Inputs, mostM: number): Drawn {
  const middle = anywhere(make);
  const radiusM = make.spread(50, mostM);
  const kind = make.between(0, 1);
  const about: Position = [middle.lon, middle.lat];
  const narrowM = Math.min(radiusM, 90_000);
  if (kind < 0.15) return { shape: { type: 'Point', coordinates: about, radius_m: narrowM }, middle, radiusM: narrowM };
  if (kind < 0.35) return { shape: corridor(make, middle, radiusM), middle, radiusM: 1.5 * radiusM };
  const corners = make.whole(3, 14);
  const far = make.list(corners, () => radiusM * make.between(corners < 5 ? 0.8 : 0.35, 1));
  const outer = starRing(about, far, make.between(0, 360));
  if (kind < 0.7) return { shape: { type: 'Polygon', coordinates: [outer] }, middle, radiusM };
  // The inner one lies inside whatever the outer's edges cut off.
  const inner = starRing(
    about,
    make.list(make.whole(3, 8), () => radiusM * make.between(0.05, 0.1)),
  );
  return { shape: { type: 'Polygon', coordinates: [outer, inner] }, middle, radiusM };
}

function corridor(make: Inputs, middle: Place, radiusM: number): Shape {
  const line = make.list(make.whole(2, 6), (): Position => {
    const { lat, lon } = placeAt(middle, make.between(0, 360), radiusM * make.between(0.1, 1));
    return [lon, lat];
  });
  return { type: 'LineString', coordinates: line, width_m: Math.min(90_000, radiusM * make.spread(0.02, 0.8)) };
}

/** On, near or far off something, flying any way at any speed. */
export function flying(make: Inputs, { middle, radiusM }: Drawn, awayM: number): State {
  const far = make.between(0, 1) < 0.5 ? 1.3 * radiusM * make.between(0, 1) : radiusM + make.between(0, awayM);
  const [way, speed] = [make.between(0, 2 * Math.PI), make.between(0, 1) < 0.1 ? 0 : make.spread(0.5, 250)];
  return {
    place: placeAt(middle, make.between(0, 360), far),
    altHaeM: make.between(-50, 3_000),
    velocity: [speed * Math.sin(way), speed * Math.cos(way), make.between(0, 1) < 0.3 ? 0 : make.between(-15, 15)],
  };
}

import type { Geometry, Position } from '../../model/geometry.ts';
import type { LatLon } from '../position.ts';
import { Plane, placeOf } from './plane.ts';

/**
 * Returns a position in the middle of a geometry; the first position if the geometry surrounds the earth. Heights of
 * the geometry are converted with the ground height and the geoid height at the returned position.
 */
export function middleOf(geometry: Geometry): LatLon {
  const positions = positionsOf(geometry);
  const plane = Plane.about(positions);
  if (plane) return placeOf(plane.middle);
  const [lonDeg, latDeg] = positions[0] ?? [0, 0];
  return { latDeg, lonDeg };
}

export function positionsOf({ type, coordinates }: Geometry): readonly Position[] {
  switch (type) {
    case 'Point':
      return [coordinates];
    case 'LineString':
      return coordinates;
    case 'Polygon':
      return coordinates.flat();
    case 'MultiPolygon':
      return coordinates.flat(2);
  }
}

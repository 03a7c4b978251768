import type { Geometry, Position } from '../../model/geometry.ts';
import { Plane, placeOf } from './plane.ts';

/** A place in the midst of what was drawn: where its heights above ground and sea are measured. */
export function middleOf(geometry: Geometry): { lat: number; lon: number } {
  const positions = positionsOf(geometry);
  const plane = Plane.about(positions);
  if (plane) return placeOf(plane.middle);
  const [lon, lat] = positions[0] ?? [0, 0];
  return { lat, lon };
}

function positionsOf({ type, coordinates }: Geometry): readonly Position[] {
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

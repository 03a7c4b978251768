import type { Geometry, Position } from '../../model/geometry.ts';
import { distanceAndCourse, type Place, placeAt } from './camera.ts';

const CIRCLE_POINTS = 96;

const placeOf = ([lon, lat]: Position): Place => ({ lat, lon });

export function circleOf(centre: Place, radiusM: number, points = CIRCLE_POINTS): Place[] {
  return Array.from({ length: points + 1 }, (_, index) => placeAt(centre, radiusM, (360 * index) / points));
}

/** A sector of coverage as a closed line; a circle where the field of view is 360°. */
export function sectorOf(centre: Place, rangeM: number, azimuthDeg: number, hfovDeg: number): Place[] {
  if (hfovDeg >= 360) return circleOf(centre, rangeM);
  const steps = Math.max(4, Math.ceil(hfovDeg / 6));
  const arc = Array.from({ length: steps + 1 }, (_, index) =>
    placeAt(centre, rangeM, azimuthDeg - hfovDeg / 2 + (hfovDeg * index) / steps),
  );
  return [centre, ...arc, centre];
}

/** Outline of a corridor: its two sides, with each vertex moved across the line by half the width. */
function corridorOf(line: readonly Place[], widthM: number): Place[] {
  const side = (acrossDeg: number): Place[] =>
    line.map((at, index) => {
      const [from, to] = index + 1 < line.length ? [at, line[index + 1]] : [line[index - 1], at];
      const courseDeg = from && to ? distanceAndCourse(from, to).courseDeg : 0;
      return placeAt(at, widthM / 2, courseDeg + acrossDeg);
    });
  const [right, left] = [side(90), side(-90)];
  return [...right, ...left.reverse(), ...right.slice(0, 1)];
}

/** Rings of a geometry. Holes are separate rings; the even-odd rule fills them correctly. */
export function ringsOf(geometry: Geometry): Place[][] {
  switch (geometry.type) {
    case 'Polygon':
      return geometry.coordinates.map((ring) => ring.map(placeOf));
    case 'MultiPolygon':
      return geometry.coordinates.flatMap((polygon) => polygon.map((ring) => ring.map(placeOf)));
    case 'Point':
      return [circleOf(placeOf(geometry.coordinates), geometry.radius_m)];
    case 'LineString':
      return [corridorOf(geometry.coordinates.map(placeOf), geometry.width_m)];
  }
}

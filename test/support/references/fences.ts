import type { LatLon } from '../../../src/geo/position.ts';
import { middleOf } from '../../../src/geo/shape/middle.ts';
import { Outline } from '../../../src/geo/shape/outline.ts';
import { type Vector, vectorOf } from '../../../src/geo/shape/plane.ts';
import type { Geometry, Position } from '../../../src/model/geometry.ts';
import { metresApart } from '../basics/place.ts';

const CUT_M = 10;

/** How far places are from a zone, by brute force: its lines as places ten metres from each other. */
export function fenceOracle(geometry: Geometry) {
  const lines = linesOf(geometry);
  const deps = lines.flatMap(cut);
  const outline = geometry.type === 'Polygon' || geometry.type === 'MultiPolygon' ? new Outline(geometry) : null;
  const halfM =
    geometry.type === 'Point' ? geometry.radius_m : geometry.type === 'LineString' ? geometry.width_m / 2 : 0;

  /** Metres from the edge, negative inside. */
  const outside = (place: LatLon): number => {
    const at = vectorOf([place.lonDeg, place.latDeg]);
    const off = metresApart(place, nearest(deps, at));
    if (!outline) return off - halfM;
    return outline.contains(at) ? -off : off;
  };
  const nearestAlong = (from: LatLon, to: LatLon, looks: number): number => {
    let least = Number.POSITIVE_INFINITY;
    for (const place of placesBetween(from, to, looks)) least = Math.min(least, outside(place));
    return least;
  };
  const farthestAlong = (from: LatLon, to: LatLon, looks: number): number =>
    Math.max(...placesBetween(from, to, looks).map(outside));
  return { middle: middleOf(geometry), outside, nearestAlong, farthestAlong };
}

type Deps = { at: Vector; place: LatLon };

function nearest(deps: readonly Deps[], at: Vector): LatLon {
  let [least, found] = [Number.POSITIVE_INFINITY, deps[0]?.place ?? { latDeg: 0, lonDeg: 0 }];
  for (const { at: other, place } of deps) {
    const off = (at[0] - other[0]) ** 2 + (at[1] - other[1]) ** 2 + (at[2] - other[2]) ** 2;
    if (off < least) [least, found] = [off, place];
  }
  return found;
}

function placesBetween(from: LatLon, to: LatLon, count: number): LatLon[] {
  const [a, b] = [vectorOf([from.lonDeg, from.latDeg]), vectorOf([to.lonDeg, to.latDeg])];
  return Array.from({ length: count + 1 }, (_, i) => {
    const mix = (axis: 0 | 1 | 2): number => a[axis] + (i / count) * (b[axis] - a[axis]);
    const [x, y, z] = [mix(0), mix(1), mix(2)];
    return { latDeg: (Math.atan2(z, Math.hypot(x, y)) * 180) / Math.PI, lonDeg: (Math.atan2(y, x) * 180) / Math.PI };
  });
}

function cut(line: readonly Position[]): Deps[] {
  if (line.length === 1) return line.map(depsAt);
  return line.slice(1).flatMap(([lonDeg, latDeg], i) => {
    const [fromLon, fromLat] = line[i] ?? [lonDeg, latDeg];
    const [from, to] = [
      { latDeg: fromLat, lonDeg: fromLon },
      { latDeg, lonDeg },
    ];
    const count = Math.max(1, Math.ceil(metresApart(from, to) / CUT_M));
    return placesBetween(from, to, count).map((place) => depsAt([place.lonDeg, place.latDeg]));
  });
}

function depsAt([lonDeg, latDeg]: Position): Deps {
  return { at: vectorOf([lonDeg, latDeg]), place: { latDeg, lonDeg } };
}

function linesOf(geometry: Geometry): Position[][] {
  switch (geometry.type) {
    case 'Point':
      return [[geometry.coordinates]];
    case 'LineString':
      return [geometry.coordinates];
    case 'Polygon':
      return geometry.coordinates;
    case 'MultiPolygon':
      return geometry.coordinates.flat();
  }
}

import { middleOf } from '../../src/geo/shape/middle.ts';
import { Outline } from '../../src/geo/shape/outline.ts';
import { type Vector, vectorOf } from '../../src/geo/shape/plane.ts';
import type { Geometry, Position } from '../../src/model/geometry.ts';
import { metresBetween, type Place } from './place.ts';

const CUT_M = 10;

/** How far places are from a zone, by brute force: its lines as places ten metres from each other. */
export function fenceOracle(geometry: Geometry) {
  const lines = linesOf(geometry);
  const rim = lines.flatMap(cut);
  const outline = geometry.type === 'Polygon' || geometry.type === 'MultiPolygon' ? new Outline(geometry) : null;
  const halfM =
    geometry.type === 'Point' ? geometry.radius_m : geometry.type === 'LineString' ? geometry.width_m / 2 : 0;

  /** Metres from the edge, negative inside. */
  const outside = (place: Place): number => {
    const at = vectorOf([place.lon, place.lat]);
    const off = metresBetween(place, nearest(rim, at));
    if (!outline) return off - halfM;
    return outline.contains(at) ? -off : off;
  };
  const nearestAlong = (from: Place, to: Place, looks: number): number => {
    let least = Number.POSITIVE_INFINITY;
    for (const place of placesBetween(from, to, looks)) least = Math.min(least, outside(place));
    return least;
  };
  const farthestAlong = (from: Place, to: Place, looks: number): number =>
    Math.max(...placesBetween(from, to, looks).map(outside));
  return { middle: middleOf(geometry), outside, nearestAlong, farthestAlong };
}

type Rim = { at: Vector; place: Place };

function nearest(rim: readonly Rim[], at: Vector): Place {
  let [least, found] = [Number.POSITIVE_INFINITY, rim[0]?.place ?? { lat: 0, lon: 0 }];
  for (const { at: other, place } of rim) {
    const off = (at[0] - other[0]) ** 2 + (at[1] - other[1]) ** 2 + (at[2] - other[2]) ** 2;
    if (off < least) [least, found] = [off, place];
  }
  return found;
}

function placesBetween(from: Place, to: Place, count: number): Place[] {
  const [a, b] = [vectorOf([from.lon, from.lat]), vectorOf([to.lon, to.lat])];
  return Array.from({ length: count + 1 }, (_, i) => {
    const mix = (axis: 0 | 1 | 2): number => a[axis] + (i / count) * (b[axis] - a[axis]);
    const [x, y, z] = [mix(0), mix(1), mix(2)];
    return { lat: (Math.atan2(z, Math.hypot(x, y)) * 180) / Math.PI, lon: (Math.atan2(y, x) * 180) / Math.PI };
  });
}

function cut(line: readonly Position[]): Rim[] {
  if (line.length === 1) return line.map(rimAt);
  return line.slice(1).flatMap(([lon, lat], i) => {
    const [fromLon, fromLat] = line[i] ?? [lon, lat];
    const [from, to] = [
      { lat: fromLat, lon: fromLon },
      { lat, lon },
    ];
    const count = Math.max(1, Math.ceil(metresBetween(from, to) / CUT_M));
    return placesBetween(from, to, count).map((place) => rimAt([place.lon, place.lat]));
  });
}

function rimAt([lon, lat]: Position): Rim {
  return { at: vectorOf([lon, lat]), place: { lat, lon } };
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

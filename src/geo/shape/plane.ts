import type { Position } from '../../model/geometry.ts';
import type { LatLon } from '../position.ts';

/**
 * Greatest valid angle between a position of an area and the middle of the area. A plane would distort more distant
 * parts of the earth too much.
 */
export const FARTHEST_DEG = 60;

const RADIANS = Math.PI / 180;
const COS_FARTHEST = Math.cos(FARTHEST_DEG * RADIANS);

/** A position on the earth as a unit vector. */
export type Vector = readonly [number, number, number];

/** Points of a plane as pairs of `x` and `y` from its middle, in radii of the earth. */
export type Flat = Float64Array;

export function vectorOf([lonDeg, latDeg]: Position): Vector {
  const [lat, lon] = [latDeg * RADIANS, lonDeg * RADIANS];
  return [Math.cos(lat) * Math.cos(lon), Math.cos(lat) * Math.sin(lon), Math.sin(lat)];
}

export function placeOf([x, y, z]: Vector): LatLon {
  return { latDeg: Math.atan2(z, Math.hypot(x, y)) / RADIANS, lonDeg: Math.atan2(y, x) / RADIANS };
}

export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Returns the chord between two positions, in radii of the earth. */
export function apart(a: Vector, b: Vector): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function scaled(a: Vector, by: number): Vector {
  return [a[0] * by, a[1] * by, a[2] * by];
}

/**
 * The plane that touches the sphere at the middle of some positions. Positions are projected from the sphere's centre
 * (gnomonic projection). Every shortest path over the sphere is a straight line in the plane, even across the
 * antimeridian and over a pole.
 */
export class Plane {
  readonly #middle: Vector;
  readonly #east: Vector;
  readonly #north: Vector;

  private constructor(middle: Vector) {
    this.#middle = middle;
    // The cross product with any axis that is not parallel to `middle` is perpendicular to `middle`.
    const aside: Vector = Math.abs(middle[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
    const east = cross(aside, middle);
    this.#east = scaled(east, 1 / Math.hypot(...east));
    this.#north = cross(middle, this.#east);
  }

  /**
   * Returns the plane at the middle of `positions`. Null if the positions surround the earth, so that they have no
   * middle.
   */
  static about(positions: readonly Position[]): Plane | null {
    let [x, y, z] = [0, 0, 0];
    for (const position of positions) {
      const vector = vectorOf(position);
      x += vector[0];
      y += vector[1];
      z += vector[2];
    }
    const length = Math.hypot(x, y, z);
    return length < 1e-6 * positions.length ? null : new Plane([x / length, y / length, z / length]);
  }

  get middle(): Vector {
    return this.#middle;
  }

  /** Returns the point of a position, which must be less than 90 degrees from the middle. */
  see(place: Vector): [x: number, y: number] {
    const ahead = dot(place, this.#middle);
    return [dot(place, this.#east) / ahead, dot(place, this.#north) / ahead];
  }

  /**
   * Returns the projected positions, or the index of the first position that is more than `FARTHEST_DEG` from the
   * middle.
   */
  flatten(positions: readonly Position[]): Flat | number {
    const flat = new Float64Array(positions.length * 2);
    for (const [i, position] of positions.entries()) {
      const vector = vectorOf(position);
      const ahead = dot(vector, this.#middle);
      if (ahead < COS_FARTHEST) return i;
      flat[2 * i] = dot(vector, this.#east) / ahead;
      flat[2 * i + 1] = dot(vector, this.#north) / ahead;
    }
    return flat;
  }
}

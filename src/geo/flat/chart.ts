import type { LatLon, Spot } from '../position.ts';
import { dot, placeOf, type Vector, vectorOf } from '../shape/plane.ts';

/** WGS 84: semi-major axis, m, and the square of the first eccentricity. */
const AXIS_M = 6_378_137;
const E2 = 6.69437999014e-3;
/**
 * Limit of the projection, as the cosine of the angle between a position and the middle of the chart. A position beyond
 * this limit is drawn at the limit, in its true direction. Every position thus has a spot on the chart, even one behind
 * the horizon.
 */
const LEAST_AHEAD = 0.02;
const FARTHEST = Math.sqrt(1 - LEAST_AHEAD ** 2) / LEAST_AHEAD;

/**
 * A flat map around a position, in metres at a given height above the ellipsoid. Shortest paths over the earth are
 * straight lines on it, also at the antimeridian and at a pole. The projection is gnomonic: it projects the local
 * vertical of each position, scaled by the ellipsoid's radii of curvature at the middle. Lengths are exact to 1 cm
 * within 5 km and to 1 dm within 10 km.
 */
export class Chart {
  readonly #up: Vector;
  readonly #east: Vector;
  readonly #north: Vector;
  readonly #heightM: number;
  readonly #eastM: number;
  readonly #northM: number;

  constructor({ latDeg, lonDeg }: LatLon, heightM = 0) {
    const [sinLat, cosLat] = [Math.sin((latDeg * Math.PI) / 180), Math.cos((latDeg * Math.PI) / 180)];
    const [sinLon, cosLon] = [Math.sin((lonDeg * Math.PI) / 180), Math.cos((lonDeg * Math.PI) / 180)];
    this.#up = [cosLat * cosLon, cosLat * sinLon, sinLat];
    this.#east = [-sinLon, cosLon, 0];
    this.#north = [-sinLat * cosLon, -sinLat * sinLon, cosLat];
    this.#heightM = heightM;
    [this.#eastM, this.#northM] = this.#radii(sinLat);
  }

  /** Local vertical (unit vector) at the middle of the chart. */
  get up(): Vector {
    return this.#up;
  }

  /** Length on the chart, m, of one metre along the ground: 1 for a chart at height 0, more at a greater height. */
  get metre(): number {
    return 1 + this.#heightM / AXIS_M;
  }

  /** Returns the spot of a position that is given as the result of `vectorOf`. */
  see(place: Vector): Spot {
    const [ahead, east, north] = [dot(place, this.#up), dot(place, this.#east), dot(place, this.#north)];
    if (ahead >= LEAST_AHEAD) return [(east / ahead) * this.#eastM, (north / ahead) * this.#northM];
    const out = FARTHEST / Math.max(Math.hypot(east, north), 1e-12);
    return [east * out * this.#eastM, north * out * this.#northM];
  }

  /**
   * Returns a spot in the true direction and at the true distance from the middle, however far away the position is.
   * Distances between this spot and spots near the middle of the chart are exact.
   */
  pin(place: Vector): Spot {
    const [ahead, east, north] = [dot(place, this.#up), dot(place, this.#east), dot(place, this.#north)];
    const off = Math.hypot(east, north);
    const stretch = off < 1e-12 ? 1 : Math.atan2(off, ahead) / off;
    const [eastM, northM] = this.#radii(Math.sin((Math.asin(place[2]) + Math.asin(this.#up[2])) / 2));
    return [east * stretch * eastM, north * stretch * northM];
  }

  spotOf({ latDeg, lonDeg }: LatLon): Spot {
    return this.see(vectorOf([lonDeg, latDeg]));
  }

  placeOf([eastM, northM]: Spot): LatLon {
    const [e, n] = [eastM / this.#eastM, northM / this.#northM];
    const [up, east, north] = [this.#up, this.#east, this.#north];
    return placeOf([
      up[0] + e * east[0] + n * north[0],
      up[1] + e * east[1] + n * north[1],
      up[2] + e * east[2] + n * north[2],
    ]);
  }

  /** Radii of curvature at the chart's height, m, across the meridian and along it. */
  #radii(sinLat: number): [eastM: number, northM: number] {
    const w2 = 1 - E2 * sinLat * sinLat;
    return [AXIS_M / Math.sqrt(w2) + this.#heightM, (AXIS_M * (1 - E2)) / w2 ** 1.5 + this.#heightM];
  }
}

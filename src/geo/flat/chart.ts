import { dot, placeOf, type Vector, vectorOf } from '../shape/plane.ts';

/** WGS 84: half its longer axis, m, and the square of its first eccentricity. */
const AXIS_M = 6_378_137;
const E2 = 6.69437999014e-3;
/** What lies farther round is drawn as far out as this, in the direction in which it lies: behind the horizon is nowhere. */
const LEAST_AHEAD = 0.02;
const FARTHEST = Math.sqrt(1 - LEAST_AHEAD ** 2) / LEAST_AHEAD;

/** Metres east and north of a chart's middle. */
export type Spot = readonly [eastM: number, northM: number];

/**
 * A flat map about a place, in metres at a height: shortest ways over the earth are straight lines in it, at the
 * antimeridian and a pole as anywhere (gnomonic, of the verticals, by the ellipsoid's radii of curvature in the middle).
 * Lengths are right to a centimetre within 5 km and to a decimetre within 10 km.
 */
export class Chart {
  readonly #up: Vector;
  readonly #east: Vector;
  readonly #north: Vector;
  readonly #heightM: number;
  readonly #eastM: number;
  readonly #northM: number;

  constructor(latDeg: number, lonDeg: number, heightM = 0) {
    const [sinLat, cosLat] = [Math.sin((latDeg * Math.PI) / 180), Math.cos((latDeg * Math.PI) / 180)];
    const [sinLon, cosLon] = [Math.sin((lonDeg * Math.PI) / 180), Math.cos((lonDeg * Math.PI) / 180)];
    this.#up = [cosLat * cosLon, cosLat * sinLon, sinLat];
    this.#east = [-sinLon, cosLon, 0];
    this.#north = [-sinLat * cosLon, -sinLat * sinLon, cosLat];
    this.#heightM = heightM;
    [this.#eastM, this.#northM] = this.#radii(sinLat);
  }

  /** The vertical in the middle. */
  get up(): Vector {
    return this.#up;
  }

  /** What is a metre along the ground, at the chart's height. */
  get metre(): number {
    return 1 + this.#heightM / AXIS_M;
  }

  /** Where a place is, given as `vectorOf` has it. */
  see(place: Vector): Spot {
    const [ahead, east, north] = [dot(place, this.#up), dot(place, this.#east), dot(place, this.#north)];
    if (ahead >= LEAST_AHEAD) return [(east / ahead) * this.#eastM, (north / ahead) * this.#northM];
    const out = FARTHEST / Math.max(Math.hypot(east, north), 1e-12);
    return [east * out * this.#eastM, north * out * this.#northM];
  }

  /** Where a place is, at its true distance also when that is long: what is measured from it comes right in the middle. */
  pin(place: Vector): Spot {
    const [ahead, east, north] = [dot(place, this.#up), dot(place, this.#east), dot(place, this.#north)];
    const off = Math.hypot(east, north);
    const stretch = off < 1e-12 ? 1 : Math.atan2(off, ahead) / off;
    const [eastM, northM] = this.#radii(Math.sin((Math.asin(place[2]) + Math.asin(this.#up[2])) / 2));
    return [east * stretch * eastM, north * stretch * northM];
  }

  spotOf({ lat, lon }: { lat: number; lon: number }): Spot {
    return this.see(vectorOf([lon, lat]));
  }

  placeOf([eastM, northM]: Spot): { lat: number; lon: number } {
    const [e, n] = [eastM / this.#eastM, northM / this.#northM];
    const [up, east, north] = [this.#up, this.#east, this.#north];
    return placeOf([
      up[0] + e * east[0] + n * north[0],
      up[1] + e * east[1] + n * north[1],
      up[2] + e * east[2] + n * north[2],
    ]);
  }

  /** Of curvature, across the meridian and along it. */
  #radii(sinLat: number): [eastM: number, northM: number] {
    const w2 = 1 - E2 * sinLat * sinLat;
    return [AXIS_M / Math.sqrt(w2) + this.#heightM, (AXIS_M * (1 - E2)) / w2 ** 1.5 + this.#heightM];
  }
}

import { LocalFrame } from '../../geo/local_frame.ts';
import type { Geodetic } from '../../geo/position.ts';
import type { ScenarioPlace, ScenarioSpec } from '../../model/scenario.ts';

/** Mean radius of the earth: converts a height over the ground into one over the tangent plane. */
const EARTH_M = 6_371_000;
const DEGREE = Math.PI / 180;

/**
 * Site of a scenario. East and north are those of the tangent plane at its origin; heights are above the ground there and
 * follow the earth's curve. So level flight stays level 100 km away, where the plane is 785 m up.
 */
export class Site {
  readonly frame: LocalFrame;
  readonly groundAltHaeM: number;
  readonly #lonDeg: number;
  readonly #sinLat: number;
  readonly #cosLat: number;

  constructor({ lat, lon, alt_hae_m }: ScenarioSpec['origin']) {
    this.frame = new LocalFrame(lat, lon, alt_hae_m);
    this.groundAltHaeM = alt_hae_m;
    this.#lonDeg = lon;
    this.#sinLat = Math.sin(lat * DEGREE);
    this.#cosLat = Math.cos(lat * DEGREE);
  }

  /** Height above the tangent plane, from one above the ground. */
  upOf(eastM: number, northM: number, heightM: number): number {
    return heightM - (eastM * eastM + northM * northM) / (2 * EARTH_M);
  }

  /** Height above the ground, from one above the tangent plane. */
  heightOf(eastM: number, northM: number, upM: number): number {
    return upM + (eastM * eastM + northM * northM) / (2 * EARTH_M);
  }

  placeOf(eastM: number, northM: number, heightM: number): Geodetic {
    return this.frame.toGeodetic(eastM, northM, this.upOf(eastM, northM, heightM));
  }

  geodeticOf({ east_m, north_m, height_m }: ScenarioPlace): Geodetic {
    return this.placeOf(east_m, north_m, height_m ?? 0);
  }

  /** Angle clockwise from the site's north to true north at a place, rad: any angle a few kilometres from a pole. */
  northAt(latDeg: number, lonDeg: number): number {
    const [sinLat, cosLat] = [Math.sin(latDeg * DEGREE), Math.cos(latDeg * DEGREE)];
    const off = (lonDeg - this.#lonDeg) * DEGREE;
    return Math.atan2(-sinLat * Math.sin(off), this.#sinLat * sinLat * Math.cos(off) + this.#cosLat * cosLat);
  }
}

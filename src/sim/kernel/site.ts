import { LocalFrame } from '../../geo/local_frame.ts';
import type { Geodetic } from '../../geo/position.ts';
import type { ScenarioPlace, ScenarioSpec } from '../../model/scenario.ts';

/** Mean radius of the earth, m. It serves to convert between height above ground and height above the tangent plane. */
const EARTH_M = 6_371_000;
const DEGREE = Math.PI / 180;

/**
 * Site of a scenario. East and north are coordinates on the tangent plane at its origin. Heights are above the ground,
 * which has the origin's height and follows the earth's curve. Level flight thus stays level 100 km away, where the
 * tangent plane is 785 m above the ground.
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

  /** Converts a height above ground to a height above the tangent plane, m. */
  upOf(eastM: number, northM: number, heightM: number): number {
    return heightM - (eastM * eastM + northM * northM) / (2 * EARTH_M);
  }

  /** Converts a height above the tangent plane to a height above ground, m. */
  heightOf(eastM: number, northM: number, upM: number): number {
    return upM + (eastM * eastM + northM * northM) / (2 * EARTH_M);
  }

  placeOf(eastM: number, northM: number, heightM: number): Geodetic {
    return this.frame.toGeodetic(eastM, northM, this.upOf(eastM, northM, heightM));
  }

  geodeticOf({ east_m, north_m, height_m }: ScenarioPlace): Geodetic {
    return this.placeOf(east_m, north_m, height_m ?? 0);
  }

  /**
   * Returns the angle clockwise from the site's north to true north at a place, rad. At places within a few kilometres
   * of a pole, this angle can have any value.
   */
  northAt(latDeg: number, lonDeg: number): number {
    const [sinLat, cosLat] = [Math.sin(latDeg * DEGREE), Math.cos(latDeg * DEGREE)];
    const off = (lonDeg - this.#lonDeg) * DEGREE;
    return Math.atan2(-sinLat * Math.sin(off), this.#sinLat * sinLat * Math.cos(off) + this.#cosLat * cosLat);
  }
}

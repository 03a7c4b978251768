import type { MslPosition } from '../../edge/wire/mavlink/read_vehicle.ts';
import { geoidHeightM } from '../../geo/geoid.ts';
import type { ChartPosition } from '../../geo/position.ts';
import type { Site } from '../kernel/site.ts';

/** Distance over which the geoid height changes by about 1 mm, m. */
const SAME_GEOID_M = 20;

/** Converts between positions on the site's chart, in metres, and MAVLink positions, in degrees. */
export class Chart {
  readonly #site: Site;
  #geoid = { eastM: Number.NaN, northM: Number.NaN, heightM: 0 };

  constructor(site: Site) {
    this.#site = site;
  }

  toMsl({ eastM, northM, heightM }: ChartPosition): MslPosition {
    const { latDeg, lonDeg, altHaeM } = this.#site.placeOf(eastM, northM, heightM);
    const known = this.#geoid;
    const isNear = Math.abs(known.eastM - eastM) < SAME_GEOID_M && Math.abs(known.northM - northM) < SAME_GEOID_M;
    if (!isNear) this.#geoid = { eastM, northM, heightM: geoidHeightM(latDeg, lonDeg) };
    return { latDeg, lonDeg, altMslM: altHaeM - this.#geoid.heightM };
  }

  toPlace({ latDeg, lonDeg, altMslM }: MslPosition): ChartPosition {
    const { eastM, northM, upM } = this.#site.frame.toEnu(latDeg, lonDeg, altMslM + geoidHeightM(latDeg, lonDeg));
    return { eastM, northM, heightM: this.#site.heightOf(eastM, northM, upM) };
  }
}

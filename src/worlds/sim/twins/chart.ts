import { geoidHeightM } from '../../../geo/geoid.ts';
import type { Site } from '../site.ts';
import type { Place } from './body.ts';

/** A place as autopilots say it: above mean sea level. */
export type MslPlace = { latDeg: number; lonDeg: number; altMslM: number };

/** The geoid changes by a millimetre over so much. */
const SAME_GEOID_M = 20;

/** Between the metres that are flown in and the degrees that are spoken of. */
export class Chart {
  readonly #site: Site;
  #geoid = { eastM: Number.NaN, northM: Number.NaN, heightM: 0 };

  constructor(site: Site) {
    this.#site = site;
  }

  toMsl({ eastM, northM, upM }: Place): MslPlace {
    const { latDeg, lonDeg, altHaeM } = this.#site.placeOf(eastM, northM, upM);
    const known = this.#geoid;
    const isNear = Math.abs(known.eastM - eastM) < SAME_GEOID_M && Math.abs(known.northM - northM) < SAME_GEOID_M;
    if (!isNear) this.#geoid = { eastM, northM, heightM: geoidHeightM(latDeg, lonDeg) };
    return { latDeg, lonDeg, altMslM: altHaeM - this.#geoid.heightM };
  }

  toPlace({ latDeg, lonDeg, altMslM }: MslPlace): Place {
    const { east, north, up } = this.#site.frame.toEnu(latDeg, lonDeg, altMslM + geoidHeightM(latDeg, lonDeg));
    return { eastM: east, northM: north, upM: this.#site.heightOf(east, north, up) };
  }
}

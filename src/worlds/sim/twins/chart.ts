import { geoidHeightM } from '../../../geo/geoid.ts';
import { LocalFrame } from '../../../geo/local_frame.ts';
import type { Place } from './body.ts';
import type { TwinRim } from './facts.ts';

/** A place as autopilots say it: above mean sea level. */
export type MslPlace = { latDeg: number; lonDeg: number; altMslM: number };

/** Mean radius of the earth. */
const EARTH_M = 6_371_000;

/**
 * Between the metres that are flown in and the degrees that are spoken of. East and north are those of the tangent plane
 * at the origin; heights follow the earth's curve, so that what flies level there does so far off too.
 */
export class Chart {
  readonly #frame: LocalFrame;

  constructor({ origin, groundAltHaeM }: Pick<TwinRim, 'origin' | 'groundAltHaeM'>) {
    this.#frame = new LocalFrame(origin.lat, origin.lon, groundAltHaeM);
  }

  toMsl({ eastM, northM, upM }: Place): MslPlace {
    const { latDeg, lonDeg, altHaeM } = this.#frame.toGeodetic(eastM, northM, upM - dip(eastM, northM));
    return { latDeg, lonDeg, altMslM: altHaeM - geoidHeightM(latDeg, lonDeg) };
  }

  toPlace({ latDeg, lonDeg, altMslM }: MslPlace): Place {
    const { east, north, up } = this.#frame.toEnu(latDeg, lonDeg, altMslM + geoidHeightM(latDeg, lonDeg));
    return { eastM: east, northM: north, upM: up + dip(east, north) };
  }
}

/** How far the ground lies below the tangent plane. */
function dip(eastM: number, northM: number): number {
  return (eastM * eastM + northM * northM) / (2 * EARTH_M);
}

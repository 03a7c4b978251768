import { geoidHeightM } from '../../../geo/geoid.ts';
import { LocalFrame } from '../../../geo/local_frame.ts';
import type { Place } from './body.ts';
import type { TwinRim } from './facts.ts';

/** A place as autopilots say it: above mean sea level. */
export type MslPlace = { latDeg: number; lonDeg: number; altMslM: number };

/** Between the metres that are flown in and the degrees that are spoken of. */
export class Chart {
  readonly #frame: LocalFrame;

  constructor({ origin, groundAltHaeM }: Pick<TwinRim, 'origin' | 'groundAltHaeM'>) {
    this.#frame = new LocalFrame(origin.lat, origin.lon, groundAltHaeM);
  }

  toMsl({ eastM, northM, upM }: Place): MslPlace {
    const { latDeg, lonDeg, altHaeM } = this.#frame.toGeodetic(eastM, northM, upM);
    return { latDeg, lonDeg, altMslM: altHaeM - geoidHeightM(latDeg, lonDeg) };
  }

  toPlace({ latDeg, lonDeg, altMslM }: MslPlace): Place {
    const { east, north, up } = this.#frame.toEnu(latDeg, lonDeg, altMslM + geoidHeightM(latDeg, lonDeg));
    return { eastM: east, northM: north, upM: up };
  }
}

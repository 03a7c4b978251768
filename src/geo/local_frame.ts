import { addon } from './addon.ts';

/** A local tangent plane: east, north, up in metres about a place (WGS 84, height above the ellipsoid). */
export class LocalFrame {
  readonly #frame = new Float64Array(12);
  readonly #in = new Float64Array(3);
  readonly #out = new Float64Array(3);

  constructor(latDeg: number, lonDeg: number, altHaeM: number) {
    addon.makeFrame(this.#frame, 0, latDeg, lonDeg, altHaeM);
  }

  toEnu(latDeg: number, lonDeg: number, altHaeM: number): { east: number; north: number; up: number } {
    this.#in.set([latDeg, lonDeg, altHaeM]);
    addon.toEnu(this.#frame, 0, this.#in, this.#out);
    const [east = 0, north = 0, up = 0] = this.#out;
    return { east, north, up };
  }

  toGeodetic(east: number, north: number, up: number): { latDeg: number; lonDeg: number; altHaeM: number } {
    this.#in.set([east, north, up]);
    addon.toGeodetic(this.#frame, 0, this.#in, this.#out);
    const [latDeg = 0, lonDeg = 0, altHaeM = 0] = this.#out;
    return { latDeg, lonDeg, altHaeM };
  }
}

import { ENU, FRAME, GEODETIC } from '../model/rows/layouts.ts';
import { addon } from './addon.ts';
import type { Enu, Geodetic } from './position.ts';
import { Turn } from './turn.ts';

/** A local tangent plane: axes east, north and up from a position, in metres (WGS 84, height above the ellipsoid). */
export class LocalFrame {
  readonly #frame = new Float64Array(FRAME.width);
  readonly #in = new Float64Array(3);
  readonly #out = new Float64Array(3);

  constructor(latDeg: number, lonDeg: number, altHaeM: number) {
    addon.makeFrame(this.#frame, 0, latDeg, lonDeg, altHaeM);
  }

  toEnu(latDeg: number, lonDeg: number, altHaeM: number): Enu {
    this.#take(latDeg, lonDeg, altHaeM);
    addon.toEnu(this.#frame, 0, this.#in, this.#out);
    const out = this.#out;
    return { eastM: out[ENU.eastM] ?? 0, northM: out[ENU.northM] ?? 0, upM: out[ENU.upM] ?? 0 };
  }

  /**
   * Writes the arguments of a conversion, one by one: to create and iterate a list would cost more than the conversion
   * itself.
   */
  #take(a: number, b: number, c: number): void {
    this.#in[0] = a;
    this.#in[1] = b;
    this.#in[2] = c;
  }

  /** Converts triples of latitude, longitude and height into triples of east, north and up in one call. */
  allToEnu(places: Float64Array, into: Float64Array): void {
    addon.toEnu(this.#frame, 0, places, into);
  }

  toGeodetic(eastM: number, northM: number, upM: number): Geodetic {
    this.#take(eastM, northM, upM);
    addon.toGeodetic(this.#frame, 0, this.#in, this.#out);
    const out = this.#out;
    return {
      latDeg: out[GEODETIC.latDeg] ?? 0,
      lonDeg: out[GEODETIC.lonDeg] ?? 0,
      altHaeM: out[GEODETIC.altHaeM] ?? 0,
    };
  }

  /**
   * Returns the rotation from the local axes at a position into the axes of this frame. A few kilometres apart the axes
   * differ little. Near a pole, however, north at one position may be south at another.
   */
  turnFrom(latDeg: number, lonDeg: number): Turn {
    const there = new Float64Array(FRAME.width);
    addon.makeFrame(there, 0, latDeg, lonDeg, 0);
    const matrix = new Float64Array(9);
    for (let i = 0; i < 9; i++) {
      const [row, column] = [FRAME.axes + 3 * Math.floor(i / 3), FRAME.axes + 3 * (i % 3)];
      for (let k = 0; k < 3; k++) matrix[i] = (matrix[i] ?? 0) + (this.#frame[row + k] ?? 0) * (there[column + k] ?? 0);
    }
    return new Turn(matrix);
  }
}

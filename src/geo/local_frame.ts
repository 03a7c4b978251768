import { addon } from './addon.ts';
import { Turn } from './turn.ts';

/** Where a frame keeps its axes: nine doubles, row-major, behind the three of its origin. */
const AXES = 3;

/** A local tangent plane: east, north, up in metres about a place (WGS 84, height above the ellipsoid). */
export class LocalFrame {
  readonly #frame = new Float64Array(12);
  readonly #in = new Float64Array(3);
  readonly #out = new Float64Array(3);

  constructor(latDeg: number, lonDeg: number, altHaeM: number) {
    addon.makeFrame(this.#frame, 0, latDeg, lonDeg, altHaeM);
  }

  toEnu(latDeg: number, lonDeg: number, altHaeM: number): { east: number; north: number; up: number } {
    this.#take(latDeg, lonDeg, altHaeM);
    addon.toEnu(this.#frame, 0, this.#in, this.#out);
    const out = this.#out;
    return { east: out[0] ?? 0, north: out[1] ?? 0, up: out[2] ?? 0 };
  }

  /** One by one: a list made for each place, and gone through, costs more than the reckoning. */
  #take(a: number, b: number, c: number): void {
    this.#in[0] = a;
    this.#in[1] = b;
    this.#in[2] = c;
  }

  /** Triples of latitude, longitude and height into triples of metres, in one call. */
  allToEnu(places: Float64Array, into: Float64Array): void {
    addon.toEnu(this.#frame, 0, places, into);
  }

  toGeodetic(east: number, north: number, up: number): { latDeg: number; lonDeg: number; altHaeM: number } {
    this.#take(east, north, up);
    addon.toGeodetic(this.#frame, 0, this.#in, this.#out);
    const out = this.#out;
    return { latDeg: out[0] ?? 0, lonDeg: out[1] ?? 0, altHaeM: out[2] ?? 0 };
  }

  /**
   * What turns a vector in the local axes at a place into this frame's axes. A few kilometres away they differ little,
   * but near a pole north at one place may be south at another.
   */
  turnFrom(latDeg: number, lonDeg: number): Turn {
    const there = new Float64Array(12);
    addon.makeFrame(there, 0, latDeg, lonDeg, 0);
    const matrix = new Float64Array(9);
    for (let i = 0; i < 9; i++) {
      const [row, column] = [AXES + 3 * Math.floor(i / 3), AXES + 3 * (i % 3)];
      for (let k = 0; k < 3; k++) matrix[i] = (matrix[i] ?? 0) + (this.#frame[row + k] ?? 0) * (there[column + k] ?? 0);
    }
    return new Turn(matrix);
  }
}

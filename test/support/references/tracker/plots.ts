import { OBSERVED } from '../../../../src/model/rows/layouts.ts';
import { at, COLUMN, ROW } from './matrix.ts';

const RADIAN = Math.PI / 180;

/** False plots a look, as learnt, and how far in range (m) and elevation (rad) they spread, all round the radar. */
export type Clutter = { perLook: number; rangeM: number; elevation: number };

/** The plots of one look as places in the radar's axes, with what is needed to weigh them. */
export class Plots {
  count = 0;
  /** Most that one of them may be beside itself at a range of 1 m, and at any, m; 1 sigma. */
  sdPerM = 0;
  sdM = 0;
  readonly places: Float64Array;
  /** Six numbers each, m². */
  readonly spreads: Float64Array;
  /** False plots per m³ there. */
  readonly densities: Float64Array;
  readonly logDensities: Float64Array;
  readonly #axes = new Float64Array(9);
  readonly #variances = new Float64Array(3);

  constructor(most: number) {
    this.places = new Float64Array(most * 3);
    this.spreads = new Float64Array(most * 6);
    this.densities = new Float64Array(most);
    this.logDensities = new Float64Array(most);
  }

  /** Reads packed plots; the first row is the head of the look. */
  read(rows: Float64Array, clutter: Clutter): void {
    this.count = rows.length / OBSERVED.width - 1;
    this.sdPerM = this.sdM = 0;
    const perAngles = clutter.perLook / (2 * Math.PI * clutter.rangeM * clutter.elevation);
    for (let i = 0; i < this.count; i++) this.#readOne(rows, (i + 1) * OBSERVED.width, i, perAngles);
  }

  #readOne(rows: Float64Array, row: number, i: number, perAngles: number): void {
    const azimuth = at(rows, row + OBSERVED.azimuthOrLatDeg) * RADIAN;
    const elevation = at(rows, row + OBSERVED.elevationOrLonDeg) * RADIAN;
    const range = at(rows, row + OBSERVED.rangeOrAltHaeM);
    const sdAzimuth = at(rows, row + OBSERVED.sdAzimuthDegOrHM) * RADIAN;
    const sdElevation = at(rows, row + OBSERVED.sdElevationDegOrVM) * RADIAN;
    const sdRange = at(rows, row + OBSERVED.sdRangeM);
    const level = Math.cos(elevation);
    this.#turn(Math.sin(azimuth), Math.cos(azimuth), Math.sin(elevation), level);
    this.#variances[0] = Math.max((range * level * sdAzimuth) ** 2, 0.01);
    this.#variances[1] = Math.max((range * sdElevation) ** 2, 0.01);
    this.#variances[2] = sdRange * sdRange;
    for (let k = 0; k < 3; k++) this.places[3 * i + k] = range * at(this.#axes, 6 + k);
    this.#spread(6 * i);
    const far = Math.max(range, 1);
    const density = perAngles / (far * far * Math.max(level, 0.05));
    this.densities[i] = density;
    this.logDensities[i] = Math.log(density);
    this.sdPerM = Math.max(this.sdPerM, sdAzimuth, sdElevation);
    this.sdM = Math.max(this.sdM, sdRange);
  }

  /** Directions at the plot: across, over and along the line of sight. */
  #turn(sinA: number, cosA: number, sinE: number, cosE: number): void {
    const axes = this.#axes;
    axes[0] = cosA;
    axes[1] = -sinA;
    axes[2] = 0;
    axes[3] = -sinE * sinA;
    axes[4] = -sinE * cosA;
    axes[5] = cosE;
    axes[6] = cosE * sinA;
    axes[7] = cosE * cosA;
    axes[8] = sinE;
  }

  #spread(out: number): void {
    for (let k = 0; k < 6; k++) {
      const i = ROW[k] as number;
      const j = COLUMN[k] as number;
      let sum = 0;
      for (let a = 0; a < 3; a++) sum += at(this.#axes, 3 * a + i) * at(this.#axes, 3 * a + j) * at(this.#variances, a);
      this.spreads[out + k] = sum;
    }
  }
}

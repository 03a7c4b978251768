import { formatTime } from '../../model/time.ts';

const DEGREES = 180 / Math.PI;

export type Plot = {
  azimuthRad: number;
  /** Range, m; NaN if it is not measured. */
  rangeM: number;
  elevationRad: number;
};

export type DeclaredSigma = { rangeM: number | null; azimuthDeg: number; elevationDeg: number | null };

/** Writes the rows of one sensor as obs_json. The parts that all rows share are composed once. */
export class ObsLines {
  readonly #head: string;
  readonly #tail: string;
  readonly #ranges: boolean;
  readonly #elevates: boolean;

  constructor(sensorName: string, sigma: DeclaredSigma) {
    this.#ranges = sigma.rangeM !== null;
    this.#elevates = sigma.elevationDeg !== null;
    this.#head = `{"sensor_id":${JSON.stringify(sensorName)},"source_at":"`;
    const declared = {
      ...(sigma.rangeM === null ? {} : { range_m: sigma.rangeM }),
      azimuth_deg: sigma.azimuthDeg,
      ...(sigma.elevationDeg === null ? {} : { elevation_deg: sigma.elevationDeg }),
    };
    this.#tail = `,"sigma":${JSON.stringify(declared)}}\n`;
  }

  plots(plots: readonly Plot[], atMs: number): Uint8Array {
    const report = this.#ranges ? 'range_bearing' : 'bearing';
    const head = `${this.#head}${formatTime(atMs)}","report":"${report}","azimuth_deg":`;
    let text = '';
    for (const { azimuthRad, rangeM, elevationRad } of plots) {
      text += head + azimuthText(azimuthRad);
      if (this.#ranges) text += `,"range_m":${Math.max(rangeM, 0).toFixed(2)}`;
      if (this.#elevates) text += `,"elevation_deg":${elevationText(elevationRad)}`;
      text += this.#tail;
    }
    return Buffer.from(text, 'latin1');
  }

  /** Returns a sign of life: the row of a sensor that detects nothing. */
  life(atMs: number): Uint8Array {
    return Buffer.from(`${this.#head}${formatTime(atMs)}","report":"presence"}\n`, 'latin1');
  }
}

function azimuthText(radians: number): string {
  const degrees = (radians * DEGREES) % 360;
  const text = (degrees < 0 ? degrees + 360 : degrees).toFixed(3);
  return text === '360.000' ? '0.000' : text;
}

function elevationText(radians: number): string {
  const degrees = radians * DEGREES;
  // An elevation over 90° would point down on the other side, so it is limited to 90°. The azimuth is not turned,
  // because it means little for such a plot.
  return Math.min(Math.max(degrees, -90), 90).toFixed(3);
}

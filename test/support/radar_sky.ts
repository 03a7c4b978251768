import type { Place, SensorValue } from '../../src/core/settings.ts';
import { LocalFrame } from '../../src/geo/local_frame.ts';
import { OBSERVED, OBSERVED_KIND, OBSERVED_WIDTH } from '../../src/model/observation_row.ts';
import { randomFrom } from './random.ts';

/** Where the radar stands, and with it the axes of the site. */
export const RADAR_PLACE: Place = { latDeg: 47, lonDeg: 8, altHaeM: 500 };
export const RADAR_SDS = { azimuthDeg: 0.5, elevationDeg: 0.7, rangeM: 5 } as const;
export const DETECTION = 0.9;
export const RANGE_MOST_M = 30_000;
const RANGE_LEAST_M = 150;
const CLUTTER_ELEVATION_DEG = 12;
/** As far apart as 1 000 aircraft in a square of 9.6 km. */
const M2_EACH = 9_600 ** 2 / 1_000;
/** From the measurement to its arrival. */
const RADAR_DELAY_S = 0.1;
const FIX_LATE_S: readonly [number, number] = [0.2, 1.5];
const FIX_SDS = { groundM: 5, heightM: 10, speedMps: 1 } as const;
const DEGREE = Math.PI / 180;

export type SkyOptions = {
  aircraft: number;
  seed: number;
  /** Side of the square that they are spread over, m; by default as dense as 1 000 in 9.6 km. */
  sideM?: number;
  falsePlots?: number;
  /** Aircraft that say themselves where they are, the first so many, and how often all of them together do a second. */
  speakers?: number;
  fixesPerS?: number;
};

/** Aircraft that fly straight over a radar that turns once a second, as packed observations in order of arrival. */
export class RadarSky {
  readonly sideM: number;
  readonly #options: Required<SkyOptions>;
  readonly #random: () => number;
  readonly #frame = new LocalFrame(RADAR_PLACE.latDeg, RADAR_PLACE.lonDeg, RADAR_PLACE.altHaeM);
  /** East, north, up, east and north speed of each, m and m/s. */
  readonly #aircraft: Float64Array;
  #sequence = 0;
  #spoken = 0;

  constructor(options: SkyOptions) {
    this.sideM = options.sideM ?? Math.sqrt(options.aircraft * M2_EACH);
    this.#options = { sideM: this.sideM, falsePlots: 50, speakers: 0, fixesPerS: 0, ...options };
    this.#random = randomFrom(options.seed);
    this.#aircraft = new Float64Array(options.aircraft * 5);
    const half = this.sideM / 2;
    for (let i = 0; i < options.aircraft; i++) {
      const of = (least: number, most: number): number => this.#between(least, most);
      this.#aircraft.set([of(-half, half), of(-half, half), of(30, 250), of(-15, 15), of(-15, 15)], 5 * i);
    }
  }

  /** The radar, and what hears the aircraft that speak, as the tracker is to know them. */
  sensors(): SensorValue[] {
    const seeing = {
      ranges: true,
      covers: true,
      detection: DETECTION,
      clutterPerLook: this.#options.falsePlots,
      rangeM: [0, RANGE_MOST_M],
      azimuthDeg: 0,
      azimuthWidthDeg: 360,
      elevationDeg: [-2, 40],
      clutterRangeM: [RANGE_LEAST_M, this.#clutterMostM()],
      clutterElevationDeg: [0, CLUTTER_ELEVATION_DEG],
      periodS: 1,
      rotating: false,
    } as const;
    return [
      { index: 0, id: 'radar', cooperative: false, placement: RADAR_PLACE, seeing },
      { index: 1, id: 'remote-id', cooperative: true, placement: null, seeing: null },
    ];
  }

  /** The box that false plots spread over, as a share of all directions: see `TwinRadar`. */
  clutter(): { perLook: number; rangeM: number; elevationDeg: number } {
    const rangeM = this.#clutterMostM() - RANGE_LEAST_M;
    return { perLook: this.#options.falsePlots, rangeM, elevationDeg: CLUTTER_ELEVATION_DEG };
  }

  /** When the look of second `timeS` is all there. */
  arrivalS(timeS: number): number {
    return timeS + RADAR_DELAY_S;
  }

  /** Everything that arrives after the look before and up to that of second `timeS`. */
  second(timeS: number): Float64Array {
    const seen = this.#shuffled().filter(() => this.#random() < DETECTION);
    const fixes = this.#fixTimes(timeS);
    const rows = new Float64Array((fixes.length + 1 + seen.length + this.#options.falsePlots) * OBSERVED_WIDTH).fill(
      Number.NaN,
    );
    let at = 0;
    for (const receivedS of fixes) at = this.#fix(rows, at, receivedS);
    at = this.#head(rows, at, timeS, seen.length + this.#options.falsePlots);
    for (const i of seen) at = this.#plotOf(rows, at, timeS, i);
    for (let i = 0; i < this.#options.falsePlots; i++) {
      const azimuth = this.#between(0, 360);
      const elevation = this.#between(0, CLUTTER_ELEVATION_DEG);
      at = this.#plot(rows, at, timeS, azimuth, elevation, this.#between(RANGE_LEAST_M, this.#clutterMostM()));
    }
    return rows;
  }

  #clutterMostM(): number {
    return Math.max(this.sideM * 0.75, 2 * RANGE_LEAST_M);
  }

  #fixTimes(timeS: number): number[] {
    return Array.from({ length: this.#options.fixesPerS }, () => this.arrivalS(timeS) - this.#random()).sort(
      (a, b) => a - b,
    );
  }

  #shuffled(): number[] {
    const order = Array.from({ length: this.#options.aircraft }, (_, i) => i);
    for (let i = order.length - 1; i > 0; i--) {
      const j = Math.floor(this.#random() * (i + 1));
      [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
    }
    return order;
  }

  #begin(rows: Float64Array, at: number, kind: number, sensor: number, timeS: number, receivedS: number): void {
    rows[at + OBSERVED.kind] = kind;
    rows[at + OBSERVED.sensor] = sensor;
    rows[at + OBSERVED.timeS] = timeS;
    rows[at + OBSERVED.receivedS] = receivedS;
    rows[at + OBSERVED.sequence] = ++this.#sequence;
    rows[at + OBSERVED.claim] = rows[at + OBSERVED.look] = rows[at + OBSERVED.emitter] = -1;
    rows[at + OBSERVED.authentic] = 0;
  }

  #head(rows: Float64Array, at: number, timeS: number, plots: number): number {
    this.#begin(rows, at, OBSERVED_KIND.look, 0, timeS, this.arrivalS(timeS));
    rows[at + OBSERVED.look] = timeS;
    rows[at + OBSERVED.plots] = plots;
    return at + OBSERVED_WIDTH;
  }

  #plotOf(rows: Float64Array, at: number, timeS: number, i: number): number {
    const [east, north, up] = this.#placeOf(i, timeS);
    const ground = Math.hypot(east, north);
    const azimuth = Math.atan2(east, north) / DEGREE + this.#normal() * RADAR_SDS.azimuthDeg;
    const elevation = Math.atan2(up, ground) / DEGREE + this.#normal() * RADAR_SDS.elevationDeg;
    return this.#plot(rows, at, timeS, azimuth, elevation, Math.hypot(ground, up) + this.#normal() * RADAR_SDS.rangeM);
  }

  #plot(rows: Float64Array, at: number, timeS: number, azimuth: number, elevation: number, range: number): number {
    this.#begin(rows, at, OBSERVED_KIND.plot, 0, timeS, this.arrivalS(timeS));
    rows[at + OBSERVED.look] = timeS;
    rows.set(
      [azimuth, elevation, range, RADAR_SDS.azimuthDeg, RADAR_SDS.elevationDeg, RADAR_SDS.rangeM],
      at + OBSERVED.a,
    );
    return at + OBSERVED_WIDTH;
  }

  /** The next speaker's word of where it was a moment ago. */
  #fix(rows: Float64Array, at: number, receivedS: number): number {
    const i = this.#spoken++ % this.#options.speakers;
    const timeS = receivedS - this.#between(...FIX_LATE_S);
    const [east, north, up] = this.#placeOf(i, timeS);
    const { latDeg, lonDeg, altHaeM } = this.#frame.toGeodetic(
      east + this.#normal() * FIX_SDS.groundM,
      north + this.#normal() * FIX_SDS.groundM,
      up + this.#normal() * FIX_SDS.heightM,
    );
    this.#begin(rows, at, OBSERVED_KIND.position, 1, timeS, receivedS);
    rows[at + OBSERVED.claim] = i;
    rows.set([latDeg, lonDeg, altHaeM, FIX_SDS.groundM, FIX_SDS.heightM], at + OBSERVED.a);
    const speeds = [3, 4].map((k) => (this.#aircraft[5 * i + k] ?? 0) + this.#normal() * FIX_SDS.speedMps);
    rows.set([...speeds, 0, FIX_SDS.speedMps, FIX_SDS.speedMps], at + OBSERVED.eastMps);
    return at + OBSERVED_WIDTH;
  }

  #placeOf(i: number, timeS: number): [number, number, number] {
    const [east = 0, north = 0, up = 0, eastMps = 0, northMps = 0] = this.#aircraft.subarray(5 * i, 5 * i + 5);
    return [east + eastMps * timeS, north + northMps * timeS, up];
  }

  #between(least: number, most: number): number {
    return least + (most - least) * this.#random();
  }

  #normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.#random())) * Math.cos(2 * Math.PI * this.#random());
  }
}

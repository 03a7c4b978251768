import type { SensorValue } from '../../../src/core/tracking/settings.ts';
import { LocalFrame } from '../../../src/geo/local_frame.ts';
import { OBSERVED } from '../../../src/model/rows/layouts.ts';
import { randomFrom } from '../basics/random.ts';
import { type ClutterBox, DETECTION, RADAR_PLACE, RADAR_SDS, skySensors } from './radar.ts';
import { FIX_SDS, RowWriter, type Times } from './row_writer.ts';

/** As far apart as 1 000 aircraft in a square of 9.6 km. */
const M2_EACH = 9_600 ** 2 / 1_000;
/** From the measurement to its arrival, s. */
const RADAR_LATE_S = 0.1;
const FIX_LATE_S: readonly [number, number] = [0.2, 1.5];
const DEGREE = Math.PI / 180;

export type SkyOptions = {
  aircraft: number;
  seed: number;
  /** Side of the square that they are spread over, m; by default as dense as 1 000 in 9.6 km. */
  sideM?: number;
  /** A look. */
  falsePlots?: number;
  /** Aircraft that say themselves where they are, the first so many, and how often all of them together do a second. */
  speakers?: number;
  fixesPerS?: number;
};

/** Aircraft that fly straight round a radar that looks once a second, as packed observations in order of arrival. */
export class RadarSky {
  readonly clutter: ClutterBox;
  readonly #options: Required<SkyOptions>;
  readonly #random: () => number;
  readonly #frame = new LocalFrame(RADAR_PLACE.latDeg, RADAR_PLACE.lonDeg, RADAR_PLACE.altHaeM);
  /** East, north, up, m, and east and north speed, m/s, of each. */
  readonly #aircraft: Float64Array;
  #told = 0;
  #spoken = 0;

  constructor(options: SkyOptions) {
    const sideM = options.sideM ?? Math.sqrt(options.aircraft * M2_EACH);
    this.#options = { sideM, falsePlots: 50, speakers: 0, fixesPerS: 0, ...options };
    this.clutter = { perLook: this.#options.falsePlots, rangeM: [150, 0.75 * sideM], elevationDeg: [0, 12] };
    this.#random = randomFrom(options.seed);
    this.#aircraft = new Float64Array(options.aircraft * 5);
    const across = [-sideM / 2, sideM / 2] as const;
    const speeds = [-15, 15] as const;
    const ranges = [across, across, [30, 250], speeds, speeds] as const;
    for (let i = 0; i < options.aircraft; i++)
      this.#aircraft.set(
        ranges.map((range) => this.#between(range)),
        5 * i,
      );
  }

  sensors(): SensorValue[] {
    return skySensors(this.clutter);
  }

  /** When the look of second `timeS` is all there. */
  arrivalS(timeS: number): number {
    return timeS + RADAR_LATE_S;
  }

  /** Everything that arrives after the look before and up to that of second `timeS`; call for one second after another. */
  second(timeS: number): Float64Array {
    const { falsePlots, fixesPerS } = this.#options;
    const seen = this.#shuffled().filter(() => this.#random() < DETECTION);
    const writer = new RowWriter(fixesPerS + 1 + seen.length + falsePlots, this.#told);
    const times = { timeS, receivedS: this.arrivalS(timeS) };
    for (const receivedS of this.#fixTimes(times.receivedS)) this.#fix(writer, receivedS);
    writer.head(times, seen.length + falsePlots);
    for (const i of seen) this.#plot(writer, times, i);
    for (let i = 0; i < falsePlots; i++)
      writer.plot(
        times,
        this.#between([0, 360]),
        this.#between(this.clutter.elevationDeg),
        this.#between(this.clutter.rangeM),
      );
    this.#told += writer.rows.length / OBSERVED.width;
    return writer.rows;
  }

  #fixTimes(untilS: number): number[] {
    return Array.from({ length: this.#options.fixesPerS }, () => untilS - this.#random()).sort((a, b) => a - b);
  }

  /** Plots come in no order that says which aircraft they are of. */
  #shuffled(): number[] {
    const order = Array.from({ length: this.#options.aircraft }, (_, i) => i);
    for (let i = order.length - 1; i > 0; i--) {
      const j = Math.floor(this.#random() * (i + 1));
      [order[i], order[j]] = [order[j] ?? 0, order[i] ?? 0];
    }
    return order;
  }

  #plot(writer: RowWriter, times: Times, i: number): void {
    const [east, north, up] = this.#placeOf(i, times.timeS);
    const ground = Math.hypot(east, north);
    const azimuth = Math.atan2(east, north) / DEGREE + this.#normal() * RADAR_SDS.azimuthDeg;
    const elevation = Math.atan2(up, ground) / DEGREE + this.#normal() * RADAR_SDS.elevationDeg;
    writer.plot(times, azimuth, elevation, Math.hypot(ground, up) + this.#normal() * RADAR_SDS.rangeM);
  }

  /** The next speaker's word of where it was a moment ago. */
  #fix(writer: RowWriter, receivedS: number): void {
    const i = this.#spoken++ % this.#options.speakers;
    const timeS = receivedS - this.#between(FIX_LATE_S);
    const [east, north, up] = this.#placeOf(i, timeS);
    const off = (sigma: number): number => this.#normal() * sigma;
    const place = [east + off(FIX_SDS.groundM), north + off(FIX_SDS.groundM), up + off(FIX_SDS.heightM)] as const;
    const [eastMps = 0, northMps = 0] = this.#aircraft.subarray(5 * i + 3, 5 * i + 5);
    const velocity = [eastMps + off(FIX_SDS.speedMps), northMps + off(FIX_SDS.speedMps), 0] as const;
    writer.fix({ timeS, receivedS }, i, this.#frame.toGeodetic(...place), velocity);
  }

  #placeOf(i: number, timeS: number): [number, number, number] {
    const [east = 0, north = 0, up = 0, eastMps = 0, northMps = 0] = this.#aircraft.subarray(5 * i, 5 * i + 5);
    return [east + eastMps * timeS, north + northMps * timeS, up];
  }

  #between([least, most]: readonly [number, number]): number {
    return least + (most - least) * this.#random();
  }

  #normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.#random())) * Math.cos(2 * Math.PI * this.#random());
  }
}

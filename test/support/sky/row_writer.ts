import { OBSERVED, OBSERVED_KIND } from '../../../src/model/rows/layouts.ts';
import { RADAR_SDS } from './radar.ts';

export const FIX_SDS = { groundM: 5, heightM: 10, speedMps: 1 } as const;

/** When something was measured and when it came in, s. */
export type Times = { timeS: number; receivedS: number };

/** Packed observations of a radar (sensor 0) and a receiver (sensor 1), one after another. */
export class RowWriter {
  readonly rows: Float64Array;
  #at = -OBSERVED.width;
  #sequence: number;

  constructor(count: number, sequence: number) {
    this.rows = new Float64Array(count * OBSERVED.width).fill(Number.NaN);
    this.#sequence = sequence;
  }

  head(times: Times, plots: number): void {
    this.#begin(OBSERVED_KIND.scan, 0, times);
    this.#set(OBSERVED.scan, times.timeS);
    this.#set(OBSERVED.plots, plots);
  }

  /** Azimuth and elevation in degrees, slant range in m. */
  plot(times: Times, azimuthDeg: number, elevationDeg: number, rangeM: number): void {
    this.#begin(OBSERVED_KIND.plot, 0, times);
    this.#set(OBSERVED.scan, times.timeS);
    this.#set(OBSERVED.azimuthOrLatDeg, azimuthDeg, elevationDeg, rangeM);
    this.#set(OBSERVED.sdAzimuthDegOrHM, RADAR_SDS.azimuthDeg, RADAR_SDS.elevationDeg, RADAR_SDS.rangeM);
  }

  fix(
    times: Times,
    claim: number,
    { latDeg, lonDeg, altHaeM }: { latDeg: number; lonDeg: number; altHaeM: number },
    velocity: readonly [number, number, number],
  ): void {
    this.#begin(OBSERVED_KIND.position, 1, times);
    this.#set(OBSERVED.claim, claim);
    this.#set(OBSERVED.azimuthOrLatDeg, latDeg, lonDeg, altHaeM, FIX_SDS.groundM, FIX_SDS.heightM);
    this.#set(OBSERVED.eastMps, ...velocity, FIX_SDS.speedMps, FIX_SDS.speedMps);
  }

  #begin(kind: number, sensor: number, { timeS, receivedS }: Times): void {
    this.#at += OBSERVED.width;
    this.#set(OBSERVED.kind, kind, sensor, timeS, receivedS, ++this.#sequence, -1);
    this.#set(OBSERVED.scan, -1);
    this.#set(OBSERVED.emitter, -1);
    this.#set(OBSERVED.authentic, 0);
  }

  #set(column: number, ...values: number[]): void {
    this.rows.set(values, this.#at + column);
  }
}

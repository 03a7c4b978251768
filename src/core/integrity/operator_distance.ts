import { metresApart } from '../../geo/sphere.ts';
import type { Report } from './report.ts';

/** Least time between two reports that confirm a distance, s: one report may be garbled. */
const APART_S = 0.9;
/** No degree is longer. */
const DEGREE_M = 111_700;
/** Nearer than this share of the bound it is believed again. */
const NEAR_AGAIN = 0.95;

/** `operator_far`: the reported pilot is farther away than any drone is flown. Found with the second report. */
export class OperatorDistance {
  #farSinceS = Number.NaN;
  #far = false;
  /** When it was far last; NaN where it never was. */
  distanceM = Number.NaN;

  get far(): boolean {
    return this.#far;
  }

  receive(report: Report, farM: number): void {
    const { operatorLatDeg, operatorLonDeg, receivedS } = report;
    // The pilot is nearly always near, which takes no trigonometry to see.
    if (!this.#far && Number.isNaN(this.#farSinceS) && boundM(report) < NEAR_AGAIN * farM) return;
    const distanceM = metresApart(report, { latDeg: operatorLatDeg, lonDeg: operatorLonDeg });
    if (Number.isNaN(distanceM)) return;
    if (distanceM <= farM * (this.#far ? NEAR_AGAIN : 1)) {
      this.#farSinceS = Number.NaN;
      this.#far = false;
      return;
    }
    this.distanceM = distanceM;
    if (Number.isNaN(this.#farSinceS)) this.#farSinceS = receivedS;
    this.#far ||= receivedS - this.#farSinceS >= APART_S;
  }
}

/** No less than the distance, where the longitudes do not meet across the antimeridian. */
function boundM({ latDeg, lonDeg, operatorLatDeg, operatorLonDeg }: Report): number {
  return (Math.abs(latDeg - operatorLatDeg) + Math.abs(lonDeg - operatorLonDeg)) * DEGREE_M;
}

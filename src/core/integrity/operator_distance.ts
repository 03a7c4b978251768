import { apartM, type Told } from './told.ts';

/** One report may be garbled: two that lie so far apart in time say it. */
const APART_S = 0.9;
/** No degree is longer. */
const DEGREE_M = 111_700;
/** Nearer than this share of the bound it is believed again. */
const NEAR_AGAIN = 0.95;

/** `operator_far`: the pilot says to be farther away than anybody flies. Found with the second report. */
export class OperatorDistance {
  #farSinceS = Number.NaN;
  #far = false;
  /** When it was far last; NaN where it never was. */
  distanceM = Number.NaN;

  get far(): boolean {
    return this.#far;
  }

  hear(told: Told, farM: number): void {
    const { latDeg, lonDeg, operatorLatDeg, operatorLonDeg, heardS } = told;
    // Nearly always he is near, which is told without the trigonometry.
    if (!this.#far && Number.isNaN(this.#farSinceS) && boundM(told) < NEAR_AGAIN * farM) return;
    const distanceM = apartM(latDeg, lonDeg, operatorLatDeg, operatorLonDeg);
    if (Number.isNaN(distanceM)) return;
    if (distanceM <= farM * (this.#far ? NEAR_AGAIN : 1)) {
      this.#farSinceS = Number.NaN;
      this.#far = false;
      return;
    }
    this.distanceM = distanceM;
    if (Number.isNaN(this.#farSinceS)) this.#farSinceS = heardS;
    this.#far ||= heardS - this.#farSinceS >= APART_S;
  }
}

/** No less than the distance, where the longitudes do not meet across the antimeridian. */
function boundM({ latDeg, lonDeg, operatorLatDeg, operatorLonDeg }: Told): number {
  return (Math.abs(latDeg - operatorLatDeg) + Math.abs(lonDeg - operatorLonDeg)) * DEGREE_M;
}

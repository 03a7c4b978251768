import { metresApart } from '../../geo/sphere.ts';
import type { Report } from './report.ts';

/** Least time between the two reports that the check needs, s. A single report may be corrupted. */
const APART_S = 0.9;
/** Upper bound of the length of a degree, m. */
const DEGREE_M = 111_700;
/** A pilot who was too far away counts as near again below this share of the limit. */
const NEAR_AGAIN = 0.95;

/**
 * Check `operator_far`: the reported pilot position is farther away than `operator_far_m` of the policy. Needs two
 * reports.
 */
export class OperatorDistance {
  #farSinceS = Number.NaN;
  #far = false;
  /** Distance at the last report that exceeded the limit, m; NaN if none did. */
  distanceM = Number.NaN;

  get far(): boolean {
    return this.#far;
  }

  receive(report: Report, farM: number): void {
    const { operatorLatDeg, operatorLonDeg, receivedS } = report;
    // In nearly all reports the pilot is near, and the upper bound shows this without trigonometry.
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

/**
 * Upper bound of the pilot's distance, m. If the antimeridian is in between, the bound is far too large, and the exact
 * distance decides.
 */
function boundM({ latDeg, lonDeg, operatorLatDeg, operatorLonDeg }: Report): number {
  return (Math.abs(latDeg - operatorLatDeg) + Math.abs(lonDeg - operatorLonDeg)) * DEGREE_M;
}

import { apartM } from '../integrity/told.ts';

/** Whoever stays within this of where he was last seen to stop or turn stands or circles there. */
const PLACE_M = 200;

/** How long an aircraft has stood or circled within a small place: since it was last this far from there. */
export class Loiter {
  #latDeg = Number.NaN;
  #lonDeg = Number.NaN;
  #sinceMs = 0;

  /** Takes where it is; returns seconds. */
  move(latDeg: number, lonDeg: number, atMs: number): number {
    if (Number.isNaN(latDeg)) return 0;
    // What is not known yet is never near.
    if (!(apartM(this.#latDeg, this.#lonDeg, latDeg, lonDeg) <= PLACE_M)) {
      this.#latDeg = latDeg;
      this.#lonDeg = lonDeg;
      this.#sinceMs = atMs;
    }
    return Math.max(0, atMs - this.#sinceMs) / 1000;
  }
}

/** Distance from the place where it last stopped or turned within which an aircraft stands or circles. */
const PLACE_M = 200;
const METRES_PER_DEGREE = 111_195;
const RADIANS = Math.PI / 180;

/** Time for which an aircraft has stood or circled within a small place: since it was last this far from there. */
export class Loiter {
  #latDeg = Number.NaN;
  #lonDeg = Number.NaN;
  #cosLat = 1;
  #sinceMs = 0;
  #lastMs = 0;

  /** The time since the last report, up to this one, does not count. */
  leaveOut(untilMs: number): void {
    const leftOutMs = Math.max(0, untilMs - this.#lastMs);
    this.#sinceMs += leftOutMs;
    this.#lastMs += leftOutMs;
  }

  /** Takes where it is; returns seconds. The time since the last report is left out where it does not count. */
  move(latDeg: number, lonDeg: number, atMs: number, counts = true): number {
    if (Number.isNaN(latDeg)) return 0;
    if (!counts) this.leaveOut(atMs);
    this.#lastMs = atMs;
    // An unknown place is never near.
    if (!(this.#apart2(latDeg, lonDeg) <= PLACE_M * PLACE_M)) {
      this.#latDeg = latDeg;
      this.#lonDeg = lonDeg;
      this.#cosLat = Math.cos(latDeg * RADIANS);
      this.#sinceMs = atMs;
    }
    return Math.max(0, atMs - this.#sinceMs) / 1000;
  }

  /** Squared, m², in a plane: computed for every report, and exact over some hundred metres is enough. */
  #apart2(latDeg: number, lonDeg: number): number {
    const turnDeg = Math.abs(lonDeg - this.#lonDeg);
    const east = Math.min(turnDeg, 360 - turnDeg) * this.#cosLat;
    const north = latDeg - this.#latDeg;
    return (east * east + north * north) * METRES_PER_DEGREE * METRES_PER_DEGREE;
  }
}

import type { Vehicle } from '../../fleet/vehicle.ts';
import { Chart } from '../../geo/flat/chart.ts';
import type { LatLon } from '../../geo/position.ts';

/** Turn of the course after which a vehicle counts as circling, rad. */
const TURNED_RAD = Math.PI;
/**
 * While a vehicle circles a place, its distance from the place varies by at most twice this value, m. The radius is
 * unknown here, because the vehicle itself sets its loiter radius.
 */
const NEAR_RADIUS_M = 30;
/** Greatest distance from the place at which a circle around it counts, m. */
const WIDEST_M = 250;
const MOST_SEEN = 256;

/**
 * Detects whether an aircraft that cannot hover circles a place. Its course must turn by 180° while its distance from
 * the place stays nearly constant. An aircraft that flies past, or turns on its way, does not circle.
 */
export class Circling {
  readonly #chart: Chart;
  #seen: { turnedRad: number; awayM: number }[] = [];
  #course: number | null = null;
  #turnedRad = 0;
  #atMs = Number.NEGATIVE_INFINITY;

  constructor(place: LatLon) {
    this.#chart = new Chart(place);
  }

  /** Adds the aircraft's current position and velocity. Returns true if the aircraft circles the place. */
  see(place: LatLon, { eastMps, northMps }: { eastMps: number; northMps: number }, atMs: number): boolean {
    if (atMs <= this.#atMs) return this.#circles();
    this.#atMs = atMs;
    const course = Math.atan2(eastMps, northMps);
    if (this.#course !== null) this.#turnedRad += turnOf(course - this.#course);
    this.#course = course;
    this.#seen.push({ turnedRad: this.#turnedRad, awayM: Math.hypot(...this.#chart.spotOf(place)) });
    if (this.#seen.length > MOST_SEEN) this.#seen.shift();
    return this.#circles();
  }

  /** Adds the last report of a vehicle, as `see` does; false if the vehicle reports no position. */
  seeVehicle({ place, position }: Vehicle): boolean {
    if (!place || !position) return false;
    const { vEastMps, vNorthMps } = position.value;
    return this.see(place, { eastMps: vEastMps, northMps: vNorthMps }, position.atMs);
  }

  /**
   * True if the course has turned by 180° since the aircraft reached its circle. Turns on the way to the circle do not
   * count.
   */
  #circles(): boolean {
    let [least, most] = [Number.POSITIVE_INFINITY, 0];
    let sinceRad = this.#turnedRad;
    for (const { awayM, turnedRad } of this.#seen.toReversed()) {
      least = Math.min(least, awayM);
      most = Math.max(most, awayM);
      if (most > WIDEST_M || most - least > 2 * NEAR_RADIUS_M) break;
      sinceRad = turnedRad;
    }
    return Math.abs(this.#turnedRad - sinceRad) >= TURNED_RAD;
  }
}

function turnOf(rad: number): number {
  return Math.atan2(Math.sin(rad), Math.cos(rad));
}

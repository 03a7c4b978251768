import type { Vehicle } from '../../fleet/vehicle.ts';
import { Chart } from '../../geo/flat/chart.ts';
import type { LatLon } from '../../geo/position.ts';

/** Turn of the course after which a vehicle counts as circling, rad. */
const TURNED_RAD = Math.PI;
/** The loiter radius is the vehicle's own setting; while it turns it keeps so near to that, m. */
const NEAR_RADIUS_M = 30;
/** No wider circle counts as one round the place, m. */
const WIDEST_M = 250;
const MOST_SEEN = 256;

/**
 * Sees whether an aircraft that cannot stand circles a place: its course turned by 180° while its distance from the place
 * stayed that of one circle. Whoever only flies past, or turns on its way, does not.
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

  /** Takes where the aircraft is now. Returns whether it circles. */
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

  /** The same for the last report of a vehicle; false where the vehicle does not know its position. */
  seeVehicle({ place, position }: Vehicle): boolean {
    if (!place || !position) return false;
    const { vEastMps, vNorthMps } = position.value;
    return this.see(place, { eastMps: vEastMps, northMps: vNorthMps }, position.atMs);
  }

  /** Counted from when it came to its circle: a swing to the other side on its way in is taken off. */
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

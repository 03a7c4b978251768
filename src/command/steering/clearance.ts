import type { Spot } from '../../geo/flat/chart.ts';
import type { Point } from '../../geo/flat/lines.ts';
import { apartFrom, keepsOff } from '../safety/standoff.ts';
import { directionOf, lengthOf, plus, turned } from './spot.ts';

/** Corners of the way round: so many that its sides cut off a third of a percent. */
const CORNERS = 40;
const HERE: Spot = [0, 0];

/**
 * Keeping off what is ahead of something, on a chart about the vehicle: the vehicle is at its middle. Heights are left out:
 * what keeps off along the ground keeps off in space.
 */
export class Clearance {
  /** Where it is expected, from now on. */
  readonly ahead: readonly Spot[];
  readonly standoffM: number;
  readonly #points: readonly Point[];

  constructor(ahead: readonly Spot[], standoffM: number) {
    this.ahead = ahead;
    this.standoffM = standoffM;
    this.#points = ahead.map(flat);
  }

  get nowM(): number {
    return this.#apart(HERE, HERE);
  }

  isOff(spot: Spot): boolean {
    return this.#apart(spot, spot) >= this.standoffM;
  }

  /** Whether the way there keeps off, or leads away. */
  allows(to: Spot): boolean {
    return keepsOff(this.#points, flat(HERE), flat(to), this.standoffM);
  }

  /** The first corner on the shortest free way round to a goal that is off, by corners so far beyond the standoff. */
  round(goal: Spot, beyondM: number, isFree: (to: Spot) => boolean): Spot | null {
    const corners = this.#corners(this.standoffM + beyondM);
    const reaching = corners.map((corner) => this.#apart(corner, goal) >= this.standoffM);
    const ways = [...corners.entries()]
      .filter(([, corner]) => this.#apart(HERE, corner) >= this.standoffM)
      .map(([i, corner]) => {
        const rest = [1, -1].map((way) => this.#rest(corners, reaching, i, way, goal));
        return { corner, lengthM: lengthOf(corner) + Math.min(...rest) };
      })
      .filter(({ lengthM }) => lengthM < Number.POSITIVE_INFINITY);
    // Whether one is free takes far longer to say than how long it is.
    ways.sort((a, b) => a.lengthM - b.lengthM);
    return ways.find(({ corner }) => isFree(corner))?.corner ?? null;
  }

  /** From a corner on, round until the goal can be reached, and there. */
  #rest(corners: readonly Spot[], reaching: readonly boolean[], begin: number, way: number, goal: Spot): number {
    let [length, at] = [0, begin];
    for (let k = 0; k < corners.length; k++) {
      const [corner, next] = [corners[at] ?? HERE, corners[(at + way + corners.length) % corners.length] ?? HERE];
      if (reaching[at]) return length + lengthOf(plus(goal, corner, -1));
      length += lengthOf(plus(next, corner, -1));
      at = (at + way + corners.length) % corners.length;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Of a ring round all that is ahead. They begin on the vehicle's side, so that they lie alike however the world is turned. */
  #corners(offM: number): Spot[] {
    const begin = directionOf(plus(HERE, this.ahead[0] ?? HERE, -1));
    return Array.from({ length: CORNERS }, (_, i) => {
      const out = turned(begin, ((i + 0.5) * 2 * Math.PI) / CORNERS);
      const along = (spot: Spot): number => spot[0] * out[0] + spot[1] * out[1];
      const farthest = this.ahead.reduce((best, spot) => (along(spot) > along(best) + 1e-9 ? spot : best));
      return plus(farthest, out, offM);
    });
  }

  #apart(from: Spot, to: Spot): number {
    return apartFrom(this.#points, flat(from), flat(to));
  }
}

function flat([x, y]: Spot): Point {
  return [x, y, Number.NaN];
}

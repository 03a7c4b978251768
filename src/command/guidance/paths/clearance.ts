import type { Point, Spot } from '../../../geo/position.ts';
import { apartFrom, keepsOff } from '../../safety/standoff.ts';
import { directionOf, lengthOf, opposite, plus, turned } from './spot.ts';

/**
 * Number of corners of the polygon along which a detour leads around a track. Its sides cut off 0.3 % of the radius.
 */
const CORNERS = 40;
const HERE: Spot = [0, 0];

/**
 * Distances to the expected positions of a track, on a chart (local plane) with the vehicle at the origin. Heights are
 * ignored: a distance that is kept along the ground is also kept in space.
 */
export class Clearance {
  /** Expected positions of the track; the first is its present one. */
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

  /** True if the straight path to a point keeps the standoff, or leads away from the track. */
  allows(to: Spot): boolean {
    return keepsOff(this.#points, flat(HERE), flat(to), this.standoffM);
  }

  /**
   * Returns the first corner on the shortest detour to a goal behind the track; null if there is none. Only the leg to
   * this corner must be free. The corners lie `beyondM` outside the standoff.
   */
  round(goal: Spot, beyondM: number, isFree: (to: Spot) => boolean): Spot | null {
    const corners = this.#corners(this.standoffM + beyondM);
    const reaching = corners.map((corner) => this.#apart(corner, goal) >= this.standoffM);
    const detours = [...corners.entries()]
      .filter(([, corner]) => this.#apart(HERE, corner) >= this.standoffM)
      .map(([i, corner]) => {
        const rest = [1, -1].map((step) => this.#rest(corners, reaching, i, step, goal));
        return { corner, lengthM: lengthOf(corner) + Math.min(...rest) };
      })
      .filter(({ lengthM }) => lengthM < Number.POSITIVE_INFINITY);
    // Detours are sorted by length first, since the check of a leg costs far more.
    detours.sort((a, b) => a.lengthM - b.lengthM);
    return detours.find(({ corner }) => isFree(corner))?.corner ?? null;
  }

  /**
   * Returns the length of the path from a corner to the goal, m. The path follows the next corners until a straight
   * line to the goal keeps the standoff. Infinity if no corner has such a line.
   */
  #rest(corners: readonly Spot[], reaching: readonly boolean[], begin: number, step: number, goal: Spot): number {
    let [length, at] = [0, begin];
    for (let k = 0; k < corners.length; k++) {
      const [corner, next] = [corners[at] ?? HERE, corners[(at + step + corners.length) % corners.length] ?? HERE];
      if (reaching[at]) return length + lengthOf(plus(goal, corner, -1));
      length += lengthOf(plus(next, corner, -1));
      at = (at + step + corners.length) % corners.length;
    }
    return Number.POSITIVE_INFINITY;
  }

  /**
   * Returns the corners of a polygon around the expected positions, at a distance of `offM`. The side between
   * the last and the first corner faces the vehicle, so the result does not depend on the orientation of the axes.
   */
  #corners(offM: number): Spot[] {
    const begin = directionOf(opposite(this.ahead[0] ?? HERE));
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

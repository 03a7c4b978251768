import type { Spot } from '../../../geo/position.ts';
import { directionOf, lengthOf, opposite, plus, turned } from './spot.ts';

/**
 * Flight time to the next point of a circle, s. The angle to that point is at least `LEAST_TURN` and at most
 * `MOST_TURN`, rad. A vehicle would slow down before a nearer point, and cut across the circle to a farther one.
 */
const AHEAD_S = 3;
const LEAST_TURN = 0.15;
const MOST_TURN = 0.6;

/**
 * Returns the next point for a vehicle that circles `centre`. The vehicle is at the origin of the chart (local plane).
 * Near the circle, the point lies ahead on the tangent at the vehicle's bearing from `centre`. A vehicle that always
 * flies toward this point stays on the circle, and never comes inside from outside. Far from the circle, the point is
 * where a tangent through the vehicle touches the circle.
 */
export function circlePoint(centre: Spot, radiusM: number, clockwise: boolean, speedMps: number): Spot {
  const toVehicle = opposite(centre);
  const offM = lengthOf(toVehicle);
  const out = directionOf(toVehicle);
  const sign = clockwise ? -1 : 1;
  const ahead = Math.min(MOST_TURN, Math.max(LEAST_TURN, (AHEAD_S * speedMps) / radiusM));
  const touch = offM > radiusM ? Math.acos(radiusM / offM) : 0;
  if (touch > ahead) return plus(centre, turned(out, sign * touch), radiusM);
  return plus(centre, turned(out, sign * ahead), radiusM / Math.cos(ahead));
}

/** Share of the radius error that is corrected each second, and the greatest correction as a share of the radius. */
const TRIM_GAIN = 0.12;
const MOST_TRIM = 0.35;
/** Radius error, as a share of the radius, beyond which a vehicle is still on its way to the circle. */
const NEAR_CIRCLE = 0.4;

/**
 * Learns how far outside its ordered circle a vehicle flies. The vehicle flies outside because it lags about 1 s behind
 * its moving point. The radius to aim at is smaller by the learned distance.
 */
export class RadiusTrim {
  readonly #radiusM: number;
  #trimM = 0;

  constructor(radiusM: number) {
    this.#radiusM = radiusM;
  }

  /** Returns the radius to aim at, m, for a vehicle at distance `offM` from the centre. Call this once a second. */
  aimM(offM: number): number {
    const errorM = offM - this.#radiusM;
    const mostM = MOST_TRIM * this.#radiusM;
    if (Math.abs(errorM) <= NEAR_CIRCLE * this.#radiusM)
      this.#trimM = Math.max(-mostM, Math.min(mostM, this.#trimM + TRIM_GAIN * errorM));
    return this.#radiusM - this.#trimM;
  }
}

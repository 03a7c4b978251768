import type { ChartPosition } from '../../../geo/position.ts';
import type { FlightLimits } from './limits.ts';

/** States of a body. A body is absent before it appears and after it leaves. */
export const ABSENT = 0;
export const GROUNDED = 1;
export const FLYING = 2;

/**
 * All bodies, with one array for each property, so that a step is a few loops over numbers. East and north are
 * coordinates of the site, heights are above its ground (see `Site`). Velocities are over the ground; those in fields
 * named `air…` are through the air, those named `gust…` are of the air.
 */
export class Air {
  count = 0;
  readonly eastM: Float64Array;
  readonly northM: Float64Array;
  readonly heightM: Float64Array;
  readonly eastMps: Float64Array;
  readonly northMps: Float64Array;
  readonly climbMps: Float64Array;
  /** Velocity through the air. */
  readonly airEastMps: Float64Array;
  readonly airNorthMps: Float64Array;
  /** Wished velocity over the ground. Behaviours write it; `fly` limits it. */
  readonly wishEastMps: Float64Array;
  readonly wishNorthMps: Float64Array;
  readonly wishClimbMps: Float64Array;
  readonly gustEastMps: Float64Array;
  readonly gustNorthMps: Float64Array;
  /** Time in flight, s; counted only for bodies that `fly` moves. */
  readonly flownS: Float64Array;
  /** Scenario time of the last landing, or of leaving, s; −∞ before. */
  readonly landedS: Float64Array;
  readonly state: Uint8Array;
  /** 1 if `fly` moves the body; 0 for a body that an autopilot moves or that never moves. The value never changes. */
  readonly flown: Uint8Array;
  readonly limits: FlightLimits[] = [];

  constructor(capacity: number) {
    const column = (): Float64Array => new Float64Array(capacity);
    [this.eastM, this.northM, this.heightM] = [column(), column(), column()];
    [this.eastMps, this.northMps, this.climbMps] = [column(), column(), column()];
    [this.airEastMps, this.airNorthMps] = [column(), column()];
    [this.wishEastMps, this.wishNorthMps, this.wishClimbMps] = [column(), column(), column()];
    [this.gustEastMps, this.gustNorthMps] = [column(), column()];
    [this.flownS, this.landedS] = [column(), column()];
    this.state = new Uint8Array(capacity);
    this.flown = new Uint8Array(capacity);
  }

  get capacity(): number {
    return this.state.length;
  }

  /** Adds a body and returns its index. The body is absent until it appears. */
  add(limits: FlightLimits, place: ChartPosition, flown: boolean): number {
    const i = this.count++;
    this.eastM[i] = place.eastM;
    this.northM[i] = place.northM;
    this.heightM[i] = place.heightM;
    this.flown[i] = flown ? 1 : 0;
    this.landedS[i] = Number.NEGATIVE_INFINITY;
    this.limits.push(limits);
    return i;
  }

  speedMps(i: number): number {
    const [east, north] = [this.eastMps[i] as number, this.northMps[i] as number];
    return Math.sqrt(east * east + north * north);
  }

  isFlying(i: number): boolean {
    return this.state[i] === FLYING;
  }
}

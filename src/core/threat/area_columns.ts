import type { DecisionPolicy } from '../../model/decision_config.ts';
import { fall, rise } from './ramp.ts';
import type { AreaRelation, Situation } from './situation.ts';

/**
 * Ratio of closing speed to speed from which a track counts fully as approaching. With a limit in m/s, one metre of
 * offset in a fast pass nearby would change the result completely.
 */
const COMES_FROM = 0.3;
/**
 * Added to the speed, m/s, before the closing speed is divided by the speed. Without it, noise would make a stationary
 * track seem to approach.
 */
const HARDLY_MOVES_MPS = 2;
/** A descending track is judged at the height that it will have after this time, s. */
const DESCENT_AHEAD_S = 20;

/**
 * Time to the edge of the area at the present closing speed, s; 0 inside, Infinity if the track does not come closer.
 * On a straight course to the area this is the time of entry; on other courses it is earlier. The time to the closest
 * approach is unsuitable: it grows when a passing track turns towards an area, which would lower the score.
 */
export function reachS(distanceM: number, closingMps: number): number {
  if (distanceM <= 0) return 0;
  return closingMps > 0 ? distanceM / closingMps : Number.POSITIVE_INFINITY;
}

/**
 * Relations of one track to several areas: one column per quantity, one row per area. The owner sets `count` and the
 * measured columns; `derive` computes the columns that factors read.
 */
export class AreaColumns {
  count = 0;
  knowsPilot = false;
  readonly importance: Float64Array;
  readonly distanceM: Float64Array;
  readonly closingMps: Float64Array;
  readonly cpaDistanceM: Float64Array;
  /** Distance of the pilot from the area, m; NaN if the pilot is far away. Valid only if `knowsPilot` is true. */
  readonly operatorDistanceM: Float64Array;
  /** Nearness of the track along the ground, 0 (far) to 1 (near). */
  readonly near: Float64Array;
  /**
   * Degree to which the track is within the outline of the area, ignoring height: 1 inside, 0 outside, with a ramp at
   * the edge.
   */
  readonly there: Float64Array;
  /**
   * Degree to which the course is directed at the area, 0 to 1. `comes`, `reachS` and `missM` are set only in the rows
   * that `coming` lists.
   */
  readonly comes: Float64Array;
  readonly reachS: Float64Array;
  /** Distance of the closest approach minus one standard deviation of the position, m; at least 0. */
  readonly missM: Float64Array;
  /** Indices of the rows whose distance decreases, ascending. Only the first `countComing` entries are valid. */
  readonly coming: Int32Array;
  countComing = 0;

  readonly room: number;

  constructor(room: number) {
    this.room = room;
    const column = (): Float64Array => new Float64Array(room);
    [this.importance, this.distanceM, this.closingMps, this.cpaDistanceM] = [column(), column(), column(), column()];
    [this.operatorDistanceM, this.near, this.there] = [column(), column(), column()];
    [this.comes, this.reachS, this.missM] = [column(), column(), column()];
    this.coming = new Int32Array(room);
  }

  /** Fills the measured columns from relation objects. */
  set(relations: readonly AreaRelation[]): void {
    this.count = relations.length;
    this.knowsPilot = true;
    for (const [i, relation] of relations.entries()) {
      this.importance[i] = relation.importance;
      this.distanceM[i] = relation.distanceM;
      this.closingMps[i] = relation.closingMps;
      this.cpaDistanceM[i] = relation.cpaDistanceM;
      this.operatorDistanceM[i] = relation.operatorDistanceM;
    }
  }

  /** Computes, from the measured columns, the columns that factors read. */
  derive({ speedMps, positionSigmaM }: Situation, curves: DecisionPolicy['curves']): void {
    const { count, distanceM, closingMps, cpaDistanceM, near, there, comes, coming, missM } = this;
    const sigmaM = positionSigmaM || 0;
    let countComing = 0;
    for (let i = 0; i < count; i++) {
      const apartM = distanceM[i] ?? Number.NaN;
      const closing = closingMps[i] ?? Number.NaN;
      near[i] = fall(apartM, curves.proximity_near_m, curves.proximity_far_m);
      there[i] = fall(apartM, 0, curves.edge_ramp_m);
      if (!(closing > 0)) continue;
      coming[countComing++] = i;
      comes[i] = rise(closing / ((speedMps || closing) + HARDLY_MOVES_MPS), 0, COMES_FROM);
      this.reachS[i] = reachS(apartM, closing);
      missM[i] = Math.max(0, (cpaDistanceM[i] ?? Number.NaN) - sigmaM);
    }
    this.countComing = countComing;
  }
}

/** Values of a relation that depend on height and dwell, for one area. All other values are in `AreaColumns`. */
export type Settled = {
  /** Degree to which the track is inside the area, 0 to 1. */
  inside: number;
  /**
   * Multiplier for strengths that depend on horizontal distance, 0 to 1. It is 1 up to the area's ceiling and falls
   * with the height above it.
   */
  height: number;
  dwellS: number;
};

/** Fills `into` for one area. `there` is the value of the column `AreaColumns.there` in the area's row. */
export function settle(
  into: Settled,
  there: number,
  heightGapM: number,
  dwellS: number,
  { climbMps }: Situation,
  curves: DecisionPolicy['curves'],
): void {
  into.inside = insideShare(there, heightGapM, curves);
  into.height = heightShare(heightGapM, climbMps, curves);
  into.dwellS = dwellS;
}

/**
 * Returns the degree to which a track counts as inside, 0 to 1. The value is 1 inside and falls to 0 over the first
 * metres outside the edge, the ceiling or the floor. This ramp keeps the score steady while positions jitter at a
 * fence. An unknown height counts as inside.
 */
function insideShare(along: number, heightGapM: number, curves: DecisionPolicy['curves']): number {
  if (along === 0) return 0;
  const gapM = Math.abs(heightGapM);
  return Number.isNaN(gapM) ? along : along * fall(gapM, 0, curves.edge_ramp_m);
}

/**
 * Returns the multiplier for strengths that depend on horizontal distance, 0 to 1. A height below the area does not
 * reduce it, because the track can climb.
 */
function heightShare(heightGapM: number, climbMps: number, curves: DecisionPolicy['curves']): number {
  const descentM = climbMps < 0 ? -climbMps * DESCENT_AHEAD_S : 0;
  const gapM = heightGapM - descentM;
  return gapM > 0 ? fall(gapM, 0, curves.height_over_m) : 1;
}

import type { DecisionPolicy } from '../../model/decision_config.ts';
import { fall, rise } from './ramp.ts';
import type { AreaRelation, Situation } from './situation.ts';

/**
 * Share of the speed that must be closing speed for a track to count as surely approaching. A share and not a speed: in a fast
 * pass nearby, a metre of offset changes the closing speed much and the heading little.
 */
const COMES_FROM = 0.3;
/** Added to the speed, m/s, since noise alone moves a stationary track. */
const HARDLY_MOVES_MPS = 2;
/** Time ahead at which heights of descending tracks are judged, s. */
const DESCENT_AHEAD_S = 20;

/**
 * Time to the edge at the present closing speed. Not the time to the closest approach: that grows when a passing track turns
 * towards an area, and a turn towards it must never lower a score. Never later than the time of entry, and equal to it on a
 * straight course to the area.
 */
export function reachS(distanceM: number, closingMps: number): number {
  if (distanceM <= 0) return 0;
  return closingMps > 0 ? distanceM / closingMps : Number.POSITIVE_INFINITY;
}

/**
 * Relations of one track to several areas, a column per quantity and a row per area. The owner fills `count` and the measured
 * columns; `derive` computes the others, which are what factors read.
 */
export class AreaColumns {
  count = 0;
  knowsPilot = false;
  readonly importance: Float64Array;
  readonly distanceM: Float64Array;
  readonly closingMps: Float64Array;
  readonly cpaDistanceM: Float64Array;
  /** Meaningless unless `knowsPilot`; NaN where the pilot is far from the area. */
  readonly operatorDistanceM: Float64Array;
  /** Share of 0 to 1: how near the track is along the ground. */
  readonly near: Float64Array;
  /** Share of 0 to 1: how much it is over, under or in the area. */
  readonly there: Float64Array;
  /** Share of 0 to 1: how surely it approaches. Set only in the rows of `coming`, as are `reachS` and `missM`. */
  readonly comes: Float64Array;
  readonly reachS: Float64Array;
  /** Distance of the closest approach, less one standard deviation of the position. */
  readonly missM: Float64Array;
  /** The rows that come nearer, in order: the first `countComing` entries. */
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

  /** Fills the measured columns. */
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

  /** Derives the columns that factors read from the measured ones. */
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

/** Height and dwell of a track in relation to one area. The other values of the relation are in the columns. */
export type Settled = {
  /** Share of 0 to 1: how much the track is in the area. */
  inside: number;
  /** Share of 0 to 1: how much distances along the ground count at its height. */
  height: number;
  dwellS: number;
};

/** Fills `into`; `there` is the value of that column in the area's row. */
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
 * Share of a track that counts as inside, 0 to 1: 1 from the edge on, and less over the last metres outside. The ramp
 * keeps the score steady while plots jitter about a fence. An unknown height counts as inside.
 */
function insideShare(along: number, heightGapM: number, curves: DecisionPolicy['curves']): number {
  if (along === 0) return 0;
  const gapM = Math.abs(heightGapM);
  return Number.isNaN(gapM) ? along : along * fall(gapM, 0, curves.edge_ramp_m);
}

/**
 * Share, 0 to 1, by which distances along the ground count at this height. A track below an area can climb, so only heights
 * above the area reduce the share.
 */
function heightShare(heightGapM: number, climbMps: number, curves: DecisionPolicy['curves']): number {
  const descentM = climbMps < 0 ? -climbMps * DESCENT_AHEAD_S : 0;
  const gapM = heightGapM - descentM;
  return gapM > 0 ? fall(gapM, 0, curves.height_over_m) : 1;
}

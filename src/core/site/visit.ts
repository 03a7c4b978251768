import type { HeightBasis, ZoneTransition } from '../../model/firing.ts';
import { AREA } from '../../model/rows/layouts.ts';
import { ZoneFact } from '../rules/facts.ts';
import type { ProtectedArea } from './site.ts';
import type { ZoneValue } from './site_plan.ts';

/** Time without an approach after which the approach is over, ms. */
const HOLD_MS = 10_000;
/** Factor by which the time to entry may exceed its first value before an approach ends. */
const SLACK = 1.5;

/** Whether a track approaches a zone: begun and ended with hysteresis, so that a turn or noise does not begin it anew. */
class Approach {
  #holds = false;
  #againstMs = Number.NaN;

  get holds(): boolean {
    return this.#holds;
  }

  end(): void {
    this.#holds = false;
    this.#againstMs = Number.NaN;
  }

  /**
   * Takes when it will be in, and how sure that is; true where an approach begins. What stands still with a velocity of
   * noise comes to everything some day: it begins only where that time is known to a half, or to a quarter of the warning.
   */
  follow(etaS: number, sigmaS: number, warnS: number, nowMs: number): boolean {
    if (this.#holds) {
      if (etaS <= warnS * SLACK) this.#againstMs = Number.NaN;
      else if (Number.isNaN(this.#againstMs)) this.#againstMs = nowMs;
      else if (nowMs - this.#againstMs >= HOLD_MS) this.end();
      return false;
    }
    // A sigma that is not known says nothing against it.
    if (!(etaS <= warnS) || sigmaS > Math.max(etaS / 2, warnS / 4)) return false;
    this.#holds = true;
    return true;
  }
}

/** Distance within which a track is at an asset, which is a point; it has left at twice that. */
const AT_ASSET_M = 50;

/** Transition of interest at a keep_in zone: one of our vehicles leaves it. */
const LEAVING: ZoneTransition = 'exit';

/** The course of one track with one thing: near, in it, how long. */
export class Visit {
  readonly approach = new Approach();
  /** Fact of the zone; null for an asset. */
  readonly fact: ZoneFact | null;
  inside = false;
  enteredMs = 0;
  dwelled = false;
  /** Basis of the last decision that its height is inside. */
  basis: HeightBasis = 'altitude';
  /** Number of the last assessment that had a row of it. */
  evaluation = 0;
  #protectedArea: ProtectedArea;

  constructor(protectedArea: ProtectedArea) {
    this.#protectedArea = protectedArea;
    this.fact = protectedArea.zone && factOf(protectedArea.zone);
  }

  get protectedArea(): ProtectedArea {
    return this.#protectedArea;
  }

  set protectedArea(thing: ProtectedArea) {
    this.#protectedArea = thing;
    const { fact } = this;
    const { zone } = thing;
    if (!fact || !zone) return;
    fact.name = zone.name;
    fact.kind = zone.kind;
    fact.alarm = alarmOf(zone);
  }

  get dwellMs(): number {
    return this.protectedArea.zone ? this.protectedArea.zone.alarm.dwell_s * 1_000 : Number.POSITIVE_INFINITY;
  }

  /** Within the edge of it, whatever the height. */
  isOver(rows: Float64Array, at: number): boolean {
    return isOver(this.protectedArea, rows, at);
  }

  /** Whether the track is far enough outside, along the ground or in height, to have left. */
  isBeyond(distanceM: number, gapM: number): boolean {
    const { zone } = this.protectedArea;
    if (!zone) return distanceM > 2 * AT_ASSET_M;
    return distanceM > zone.alarm.hysteresis_m || Math.abs(gapM) > zone.alarm.hysteresis_m;
  }
}

function isOver({ zone }: ProtectedArea, rows: Float64Array, at: number): boolean {
  if (!zone) return (rows[at + AREA.distanceM] ?? Number.POSITIVE_INFINITY) <= AT_ASSET_M;
  return rows[at + AREA.inside] === 1;
}

/**
 * Bounds by which tracks are at an area, or will be within its time of warning: numbers in a row, since all are compared
 * with all.
 */
export class Closeness {
  readonly #atM: Float64Array;
  readonly #warnS: Float64Array;

  /** In the order in which rows name the things. */
  constructor(protectedAreas: readonly ProtectedArea[]) {
    this.#atM = Float64Array.from(protectedAreas, ({ zone }) => (zone ? Number.NEGATIVE_INFINITY : AT_ASSET_M));
    this.#warnS = Float64Array.from(protectedAreas, ({ zone }) => zone?.alarm.eta_s ?? Number.NaN);
  }

  /** Whether a track that is not followed there has to be. Nothing is inside of an asset, which is a point. */
  isCloseBy(rows: Float64Array, at: number): boolean {
    const place = rows[at + AREA.thing] ?? -1;
    if (rows[at + AREA.inside] === 1) return true;
    if ((rows[at + AREA.volumeInS] ?? Number.NaN) <= (this.#warnS[place] ?? Number.NaN)) return true;
    return (rows[at + AREA.distanceM] ?? Number.NaN) <= (this.#atM[place] ?? Number.NaN);
  }
}

function factOf(zone: ZoneValue): ZoneFact {
  const { id, name, kind } = zone;
  return new ZoneFact({ id, name, kind, alarm: alarmOf(zone) });
}

function alarmOf({ kind, alarm: { on, level: severity } }: ZoneValue): ZoneFact['alarm'] {
  if (kind === 'ignore') return { on: [], severity };
  return { on: kind === 'keep_in' ? on.filter((transition) => transition === LEAVING) : on, severity };
}

import type { HeightBasis, ZoneTransition } from '../../model/firing.ts';
import { AREA } from '../../model/rows/layouts.ts';
import { ZoneFact } from '../rules/facts.ts';
import type { ProtectedArea } from './site.ts';
import type { ZoneValue } from './site_plan.ts';

/** Time without an approach after which the approach is over, ms. */
const HOLD_MS = 10_000;
/** Factor on the warning time; an approach ends where the time to entry stays above the product. */
const SLACK = 1.5;

/** Whether a track approaches a zone. Hysteresis keeps a turn or noise from beginning the approach anew. */
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
   * Takes the time to entry and its standard deviation; true where an approach begins. Velocity noise makes a stationary track
   * seem to arrive some day. So an approach begins only where the deviation is at most half of that time, or a quarter of the
   * warning time.
   */
  follow(etaS: number, sigmaS: number, warnS: number, nowMs: number): boolean {
    if (this.#holds) {
      if (etaS <= warnS * SLACK) this.#againstMs = Number.NaN;
      else if (Number.isNaN(this.#againstMs)) this.#againstMs = nowMs;
      else if (nowMs - this.#againstMs >= HOLD_MS) this.end();
      return false;
    }
    // An unknown standard deviation does not prevent an approach.
    if (!(etaS <= warnS) || sigmaS > Math.max(etaS / 2, warnS / 4)) return false;
    this.#holds = true;
    return true;
  }
}

/** Distance within which a track is at an asset, which is a point; it has left at twice that. */
const AT_ASSET_M = 50;

/** Transition of interest at a keep_in zone: one of our vehicles leaves it. */
const LEAVING: ZoneTransition = 'exit';

/** State of one track in relation to one area: whether it is near or inside, and for how long. */
export class Visit {
  readonly approach = new Approach();
  /** Fact of the zone; null for an asset. */
  readonly fact: ZoneFact | null;
  inside = false;
  enteredMs = 0;
  dwelled = false;
  /** Basis of the last comparison of its height. */
  basis: HeightBasis = 'altitude';
  /** Number of the last evaluation that had a row of the area. */
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

  /** Whether the track is within the edge of the area, whatever its height. */
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
 * Limits within which tracks are at an area, or will enter within its warning time. Arrays, since all tracks are compared with
 * all areas.
 */
export class Closeness {
  readonly #atM: Float64Array;
  readonly #warnS: Float64Array;

  /** Takes the areas in the order in which rows refer to them. */
  constructor(protectedAreas: readonly ProtectedArea[]) {
    this.#atM = Float64Array.from(protectedAreas, ({ zone }) => (zone ? Number.NEGATIVE_INFINITY : AT_ASSET_M));
    this.#warnS = Float64Array.from(protectedAreas, ({ zone }) => zone?.alarm.eta_s ?? Number.NaN);
  }

  /**
   * Whether a track has to be followed at an area where it is not followed yet. An asset is a point, so its distance counts.
   */
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

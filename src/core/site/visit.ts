import type { HeightBasis } from '../../model/firing.ts';
import { AREA } from '../../model/rows/layouts.ts';
import { ZoneFact } from '../rules/facts.ts';
import type { ProtectedArea } from './site.ts';
import type { ZoneValue } from './site_plan.ts';

/** Time for which an approach goes on after the track no longer approaches, ms. */
const HOLD_MS = 10_000;
/**
 * Factor on a zone's warning time. An approach ends when the time until entry stays above the product for `HOLD_MS`.
 */
const SLACK = 1.5;

/**
 * Whether a track approaches a zone. With hysteresis, a turn of the track or noise does not end the approach and begin
 * another.
 */
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
   * Takes the time until entry, its standard deviation, and the warning time, s. Returns true when an approach begins.
   * Because of velocity noise, even a stationary track has a time until entry. An approach therefore begins only if the
   * standard deviation is at most half of that time, or a quarter of the warning time.
   */
  follow(etaS: number, sigmaS: number, warnS: number, nowMs: number): boolean {
    if (this.#holds) {
      if (etaS <= warnS * SLACK) this.#againstMs = Number.NaN;
      else if (Number.isNaN(this.#againstMs)) this.#againstMs = nowMs;
      else if (nowMs - this.#againstMs >= HOLD_MS) this.end();
      return false;
    }
    // A NaN standard deviation compares as false, so it does not prevent an approach.
    if (!(etaS <= warnS) || sigmaS > Math.max(etaS / 2, warnS / 4)) return false;
    this.#holds = true;
    return true;
  }
}

/**
 * A track within this distance of an asset, which is a point, counts as at the asset, m. It has left at twice this
 * distance.
 */
const AT_ASSET_M = 50;

/** State of one track at one area: whether it is near or inside, and for how long. */
export class Visit {
  readonly approach = new Approach();
  /** Relation of the track to the zone; null for an asset. */
  readonly fact: ZoneFact | null;
  inside = false;
  enteredMs = 0;
  dwelled = false;
  /** Kind of height that was compared at the last evaluation. */
  basis: HeightBasis = 'altitude';
  /** Number of the last evaluation that had a row for the area. */
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

  /** Whether the track is within the outline of the area, whatever its height. */
  isOver(rows: Float64Array, at: number): boolean {
    return isOver(this.protectedArea, rows, at);
  }

  /** Whether the track is far enough outside to count as having left, along the ground or in height. */
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
 * Limits of distance and of time until entry within which a track is followed at an area. They are stored in arrays for
 * speed, because they are compared with each measured row.
 */
export class Closeness {
  readonly #atM: Float64Array;
  readonly #warnS: Float64Array;

  /** Measured rows refer to an area by its index in `protectedAreas`. */
  constructor(protectedAreas: readonly ProtectedArea[]) {
    this.#atM = Float64Array.from(protectedAreas, ({ zone }) => (zone ? Number.NEGATIVE_INFINITY : AT_ASSET_M));
    this.#warnS = Float64Array.from(protectedAreas, ({ zone }) => zone?.alarm.eta_s ?? Number.NaN);
  }

  /**
   * Whether a track must be followed at an area from now on. It must if it is inside, will enter within the warning
   * time, or is at an asset.
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

const alarmOf = ({ kind, alarm: { on, level: severity } }: ZoneValue): ZoneFact['alarm'] => ({
  on: kind === 'ignore' ? [] : on,
  severity,
});

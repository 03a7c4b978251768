import type { AreaValue } from '../../geo/area_columns.ts';
import { positionsOf } from '../../geo/shape/middle.ts';
import { LIMIT } from '../../model/rows/layouts.ts';
import { holdsAt } from '../../model/schedule.ts';
import type { ScoredZoneKind } from '../../model/zone.ts';
import { importanceOf } from '../threat/situation.ts';
import type { AssetValue, SitePlan, ZoneValue } from './site_plan.ts';

const MINUTE_MS = 60_000;
/** Upper bound of the ground's height above the ellipsoid, anywhere on earth, m. */
const HIGHEST_GROUND_M = 9_000;
/** Greatest `nearM` that the native code accepts, m. */
const MOST_NEAR_M = 1e6;
/**
 * Tracks are measured up to a zone's hysteresis plus this distance from the zone, m, so that their exit is observed.
 */
const BEYOND_M = 10;

/** An area that tracks are measured against. Measured rows refer to it by its index in `Site.protectedAreas`. */
export type ProtectedArea = {
  id: string;
  name: string;
  kind: 'zone' | 'asset';
  /** Importance, 0 to 1; see `importanceOf`. 0 for an area without a score. */
  importance: number;
  value: AreaValue;
  /** Floor and ceiling above ground, m, if the ground's height above the ellipsoid is unknown; else null. */
  aboveGround: { floorM: number; ceilingM: number } | null;
  /** Height of the ground above the ellipsoid, m; NaN if not known. */
  groundAltHaeM: number;
  /** Zone of the area; null for an asset. */
  zone: ZoneValue | null;
};

/** Zones and assets of a world. A zone is active while it is enabled and its schedule applies. */
export class Site {
  #value: SitePlan = { zones: [], assets: [] };
  #held: readonly (ZoneValue | AssetValue)[] = [];
  #protectedAreas: readonly ProtectedArea[] = [];
  #nearM = 0;
  #openCeilingM = Number.POSITIVE_INFINITY;
  #minute = Number.NaN;
  #leftOut = 0;
  #longestEtaS = 0;

  /** Areas that tracks are measured against. `AREA.thing` of a row is an index into this list. */
  get protectedAreas(): readonly ProtectedArea[] {
    return this.#protectedAreas;
  }

  /** Number of assets that `protectedAreas` leaves out because it is full: those of the lowest priority. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** Longest warning time of any active zone with a score, s. Approaches must be measured for this time ahead. */
  get longestEtaS(): number {
    return this.#longestEtaS;
  }

  /** Replaces the plan. It takes effect at the next `update`. */
  set(value: SitePlan): void {
    this.#value = value;
    this.#minute = Number.NaN;
  }

  /**
   * Applies the current plan and the schedules. Returns whether `protectedAreas` changed; the caller must then pass the
   * list to the native areas and the zone watch. Tracks are measured against scored zones and assets up to the distance
   * `nearM`, m. `openCeilingM`, m above ground, is the assumed ceiling of scored zones that declare none.
   */
  update(nowMs: number, nearM: number, openCeilingM = Number.POSITIVE_INFINITY): boolean {
    const minute = Math.floor(nowMs / MINUTE_MS);
    const asHigh = openCeilingM === this.#openCeilingM;
    if (minute === this.#minute && nearM === this.#nearM && asHigh) return false;
    const held = this.#holding(nowMs);
    const same = held.length === this.#held.length && held.every((one, i) => one === this.#held[i]);
    const asNear = (nearM === this.#nearM && asHigh) || held.length === 0;
    this.#minute = minute;
    this.#nearM = nearM;
    this.#openCeilingM = openCeilingM;
    if (same && asNear) return false;
    this.#held = held;
    this.#protectedAreas = held.map((one) =>
      'kind' in one ? zoneArea(closed(one, openCeilingM), one.groundAltHaeM, nearM) : assetArea(one, nearM),
    );
    this.#longestEtaS = this.#protectedAreas.reduce(
      (most, { zone, value }) => Math.max(most, (value.measured && zone?.alarm.eta_s) || 0),
      0,
    );
    return true;
  }

  #holding(nowMs: number): (ZoneValue | AssetValue)[] {
    const zones = this.#value.zones.filter(
      ({ enabled, schedule }) => enabled && (schedule === null || holdsAt(schedule, nowMs)),
    );
    const positions = zones.reduce((sum, { geometry }) => sum + positionsOf(geometry).length, 0);
    const room = Math.max(0, Math.min(LIMIT.things - zones.length, LIMIT.thingPositions - positions));
    const assets = [...this.#value.assets].sort((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1));
    this.#leftOut = Math.max(0, assets.length - room);
    // Only a limited number of the zones that contain a track is reported, in the order of this list. Therefore the
    // most important zones come first.
    zones.sort((a, b) => weightOf(b) - weightOf(a));
    return [...zones, ...assets.slice(0, room)];
  }
}

type Scored = ZoneValue & { kind: ScoredZoneKind };

function isScored(zone: ZoneValue): zone is Scored {
  return zone.kind === 'protected' || zone.kind === 'alert' || zone.kind === 'warning';
}

function weightOf(zone: ZoneValue): number {
  return isScored(zone) ? importanceOf(zone.kind, zone.priority) : 0;
}

/**
 * Gives a scored zone without a ceiling one at `openCeilingM` above ground, so that an airliner far above a fence is
 * not inside. If the height of the ground is unknown, the highest ground on earth is assumed.
 */
function closed(zone: ZoneValue, openCeilingM: number): ZoneValue {
  if (!isScored(zone) || zone.ceilingM < Number.POSITIVE_INFINITY || openCeilingM === Number.POSITIVE_INFINITY)
    return zone;
  if (zone.above === 'ground') return { ...zone, ceilingM: openCeilingM };
  const groundAltHaeM = Number.isNaN(zone.groundAltHaeM) ? HIGHEST_GROUND_M : zone.groundAltHaeM;
  return { ...zone, groundAltHaeM, ceilingM: groundAltHaeM + openCeilingM, overGround: true };
}

function zoneArea(zone: ZoneValue, groundAltHaeM: number, nearM: number): ProtectedArea {
  const { id, name, geometry, floorM, ceilingM, above, priority } = zone;
  const scored = isScored(zone);
  const leaveM = zone.alarm.hysteresis_m + BEYOND_M;
  const everywhere = above === 'ground';
  return {
    id,
    name,
    kind: 'zone',
    importance: scored ? importanceOf(zone.kind, priority) : 0,
    value: {
      shape: geometry,
      floorM: everywhere ? Number.NEGATIVE_INFINITY : floorM,
      ceilingM: everywhere ? Number.POSITIVE_INFINITY : ceilingM,
      measured: scored,
      nearM: Math.min(MOST_NEAR_M, scored ? Math.max(nearM, leaveM) : leaveM),
    },
    aboveGround: everywhere ? { floorM, ceilingM } : null,
    groundAltHaeM,
    zone,
  };
}

function assetArea({ id, name, latDeg, lonDeg, priority, groundAltHaeM }: AssetValue, nearM: number): ProtectedArea {
  return {
    id,
    name,
    kind: 'asset',
    importance: importanceOf('asset', priority),
    value: {
      shape: { type: 'Point', coordinates: [lonDeg, latDeg], radius_m: 0 },
      floorM: Number.NEGATIVE_INFINITY,
      ceilingM: Number.POSITIVE_INFINITY,
      measured: true,
      nearM: Math.min(MOST_NEAR_M, nearM),
    },
    aboveGround: null,
    groundAltHaeM,
    zone: null,
  };
}

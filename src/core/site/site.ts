import { MOST_THING_POSITIONS, MOST_THINGS, type ThingValue } from '../../geo/thing_columns.ts';
import type { Geometry } from '../../model/geometry.ts';
import { holdsAt } from '../../model/schedule.ts';
import { importanceOf } from '../threat/situation.ts';
import type { AssetValue, SitePlan, ZoneValue } from './site_plan.ts';

const MINUTE_MS = 60_000;
/** No ground is higher above the ellipsoid. */
const HIGHEST_GROUND_M = 9_000;
/** Native things may be so near at most. */
const MOST_NEAR_M = 1e6;
/** So far beyond its hysteresis what has left is still told of. */
const BEYOND_M = 10;

/** One of the things that tracks are measured against and scored by, at its place in the list. */
export type SiteThing = {
  id: string;
  name: string;
  kind: 'zone' | 'asset';
  /** 0 to 1, see `importanceOf`; 0 of what is not scored. */
  importance: number;
  value: ThingValue;
  /** Its floor and ceiling over the ground, where they cannot be told over the ellipsoid: the ground's height is not known. */
  aboveGround: { floorM: number; ceilingM: number } | null;
  /** How high the ground is there, above the ellipsoid; NaN where nobody says. */
  groundAltHaeM: number;
  /** Null of an asset. */
  zone: ZoneValue | null;
};

/** The zones and assets of a world, and which of them hold: not those that are disabled or out of their hours. */
export class Site {
  #value: SitePlan = { zones: [], assets: [] };
  #held: readonly (ZoneValue | AssetValue)[] = [];
  #things: readonly SiteThing[] = [];
  #nearM = 0;
  #openCeilingM = Number.POSITIVE_INFINITY;
  #minute = Number.NaN;
  #leftOut = 0;
  #longestEtaS = 0;

  /** Things as tracks are measured against them: a row's `AREA.thing` is the place in this list. */
  get things(): readonly SiteThing[] {
    return this.#things;
  }

  /** How many assets there was no room for: those of the least priority. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** How far ahead tracks are to be looked at so that no approach is missed. */
  get longestEtaS(): number {
    return this.#longestEtaS;
  }

  /** Tells all anew; it holds from the next `update` on. */
  set(value: SitePlan): void {
    this.#value = value;
    this.#minute = Number.NaN;
  }

  /**
   * Lets the hour take effect, and what was told since: whether `things` is another list now, which the areas and the zone
   * watch are to be told. Who is so near to what is scored is told of.
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
    this.#things = held.map((one) =>
      'kind' in one ? zoneThing(closed(one, openCeilingM), one.groundAltHaeM, nearM) : assetThing(one, nearM),
    );
    this.#longestEtaS = this.#things.reduce(
      (most, { zone, value }) => Math.max(most, (value.measured && zone?.alarm.eta_s) || 0),
      0,
    );
    return true;
  }

  #holding(nowMs: number): (ZoneValue | AssetValue)[] {
    const zones = this.#value.zones.filter(
      ({ enabled, schedule }) => enabled && (schedule === null || holdsAt(schedule, nowMs)),
    );
    const positions = zones.reduce((sum, { geometry }) => sum + positionsOf(geometry), 0);
    const room = Math.max(0, Math.min(MOST_THINGS - zones.length, MOST_THING_POSITIONS - positions));
    const assets = [...this.#value.assets].sort((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1));
    this.#leftOut = Math.max(0, assets.length - room);
    // Of more than can be told of one track, those that it is in are told in the order of their numbers.
    zones.sort((a, b) => weightOf(b) - weightOf(a));
    return [...zones, ...assets.slice(0, room)];
  }
}

type Scored = ZoneValue & { kind: 'protected' | 'alert' | 'warning' };

function isScored(zone: ZoneValue): zone is Scored {
  return zone.kind === 'protected' || zone.kind === 'alert' || zone.kind === 'warning';
}

function weightOf(zone: ZoneValue): number {
  return isScored(zone) ? importanceOf(zone.kind, zone.priority) : 0;
}

/**
 * What has no ceiling reaches so high above ground: an airliner over a fence is not in it. Where nobody says how high the
 * ground is, it may be as high as any.
 */
function closed(zone: ZoneValue, openCeilingM: number): ZoneValue {
  if (!isScored(zone) || zone.ceilingM < Number.POSITIVE_INFINITY || openCeilingM === Number.POSITIVE_INFINITY)
    return zone;
  if (zone.above === 'ground') return { ...zone, ceilingM: openCeilingM };
  const groundAltHaeM = Number.isNaN(zone.groundAltHaeM) ? HIGHEST_GROUND_M : zone.groundAltHaeM;
  return { ...zone, groundAltHaeM, ceilingM: groundAltHaeM + openCeilingM, overGround: true };
}

function zoneThing(zone: ZoneValue, groundAltHaeM: number, nearM: number): SiteThing {
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

function assetThing({ id, name, lat, lon, priority, groundAltHaeM }: AssetValue, nearM: number): SiteThing {
  return {
    id,
    name,
    kind: 'asset',
    importance: importanceOf('asset', priority),
    value: {
      shape: { type: 'Point', coordinates: [lon, lat], radius_m: 0 },
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

function positionsOf({ type, coordinates }: Geometry): number {
  if (type === 'Point') return 1;
  if (type === 'LineString') return coordinates.length;
  const polygons = type === 'Polygon' ? [coordinates] : coordinates;
  return polygons.reduce((sum, rings) => rings.reduce((all, ring) => all + ring.length, sum), 0);
}

import type { Flyer } from '../../../src/core/site/flyer.ts';
import { Site } from '../../../src/core/site/site.ts';
import type { AssetValue, ZoneValue } from '../../../src/core/site/site_plan.ts';
import type { TrackZones } from '../../../src/core/site/track_zones.ts';
import { ZoneWatch } from '../../../src/core/site/zone_watch.ts';
import { Areas, areaStates } from '../../../src/core/tracking/areas.ts';
import type { Heights } from '../../../src/geo/geoid.ts';
import type { ZoneEvent } from '../../../src/model/firing.ts';
import { AREA, AREA_HEAD, AREA_STATE } from '../../../src/model/rows/layouts.ts';
import { type Zone, zoneSpecSchema } from '../../../src/model/zone.ts';
import { zoneValue } from '../../../src/world/site_plan.ts';
import { type Place, placeAt } from '../basics/place.ts';

export const middle: Place = { lat: 60.17, lon: 24.94 };
const HORIZON_S = 300;
const NEAR_M = 5_000;

/** Metres east and north of a place. */
export const beside = (eastM: number, northM: number, from = middle): Place =>
  placeAt(placeAt(from, 90, eastM), 0, northM);

export type ZoneLike = { id?: string; version?: number } & { [field in keyof Zone]?: unknown };

/** A circle of 200 m about the middle, unless something else is said. */
export function zoneOf(like: ZoneLike = {}, heights: Partial<Heights> = {}): ZoneValue {
  const { id = 'fence', version = 1, ...more } = like;
  const geometry = { type: 'Point', coordinates: [middle.lon, middle.lat], radius_m: 200 };
  const spec = zoneSpecSchema.parse({ name: id, kind: 'protected', geometry, ...more });
  const at = '2026-01-01T00:00:00Z';
  return zoneValue(
    { ...spec, id, version, created_at: at, updated_at: at },
    { groundAltHaeM: () => 0, haeOfMsl: (msl) => msl + 18, ...heights },
  );
}

export function flyerOf(more: Partial<Flyer> = {}): Flyer {
  const number = more.number ?? 1;
  return {
    number,
    id: `track ${number}`,
    state: 'confirmed',
    affiliation: 'unknown',
    affiliationBasis: 'none',
    cooperative: 'coop_only',
    altAglM: Number.NaN,
    heightTakeoffM: Number.NaN,
    climbMps: 0,
    ...more,
  };
}

export type Motion = { place: Place; altHaeM?: number; velocity?: readonly [number, number, number] };

/** A site, its areas and its watch, as the core joins them. */
export class ZoneSky {
  readonly site = new Site();
  readonly watch = new ZoneWatch();
  readonly #areas = new Areas(1);

  constructor(zones: readonly ZoneValue[], assets: readonly AssetValue[] = []) {
    this.set(zones, assets);
    this.at(0);
  }

  /** From the next look on. */
  set(zones: readonly ZoneValue[], assets: readonly AssetValue[] = []): void {
    this.site.set({ zones, assets });
  }

  /** Time passes; answers what happened. */
  at(nowMs: number): ZoneEvent[] {
    if (this.site.update(nowMs, NEAR_M)) {
      this.#areas.set(this.site.protectedAreas.map(({ value }) => value));
      this.watch.set(this.site.protectedAreas, nowMs);
    }
    this.watch.tick(nowMs);
    return this.watch.takeEvents();
  }

  look(flyer: Flyer, { place, altHaeM = 50, velocity = [0, 0, 0] }: Motion, nowMs: number): ZoneEvent[] {
    const events = this.at(nowMs);
    const state = areaStates(1);
    state.set([flyer.number, place.lat, place.lon, altHaeM, ...velocity]);
    state.fill(0, AREA_STATE.covPlaceM2);
    const { heads, rows } = this.#areas.measureStates(state, HORIZON_S);
    const from = (heads[AREA_HEAD.first] ?? 0) * AREA.width;
    const head = (column: number): number => heads[column] ?? 0;
    const counts = {
      measured: head(AREA_HEAD.measured),
      contained: head(AREA_HEAD.contained),
      more: head(AREA_HEAD.more),
    };
    this.watch.evaluate(flyer, { rows, from, ...counts }, nowMs);
    return [...events, ...this.watch.takeEvents()];
  }

  of(number = 1): TrackZones {
    const zones = this.watch.of(number);
    if (!zones) throw new Error(`track ${number} was not looked at`);
    return zones;
  }
}

export const told = (events: readonly ZoneEvent[]): string[] =>
  events.map(
    ({ transition, zoneId, because }) => `${transition} ${zoneId}${because === 'flown' ? '' : ` (${because})`}`,
  );

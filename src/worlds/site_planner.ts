import type { SensorFact } from '../core/rules/facts.ts';
import type { AssetValue, ZoneValue } from '../core/site/site_plan.ts';
import type { Asset } from '../model/asset.ts';
import type { Sensor } from '../model/sensor.ts';
import type { Zone } from '../model/zone.ts';
import type { RegistryList } from '../picture/row_events.ts';
import type { Briefing } from './briefing.ts';
import { assetValue, type Heights, zoneValue } from './site_plan.ts';

/** The wall clock may be off by less: schedules go by minutes. */
const OFFSET_MS = 1_000;

export type SiteRim = {
  zones(): readonly Zone[];
  heights: Heights;
  utcOffsetMs(): number;
};

/** Keeps the core told of what tracks are measured against: all of it in one message, at the next turn after a change. */
export class SitePlanner {
  readonly #briefing: Briefing;
  readonly #rim: SiteRim;
  /** Most assets are none that is protected, and there may be many: only what is kept here is told again. */
  readonly #assets = new Map<string, { asset: Asset; value: AssetValue }>();
  #planned = false;

  constructor(briefing: Briefing, rim: SiteRim) {
    this.#briefing = briefing;
    this.#rim = rim;
  }

  begin(assets: readonly Asset[]): void {
    for (const asset of assets) this.#take(asset);
    this.#tell();
  }

  changed(list: RegistryList, rows: readonly { id: string }[]): void {
    if (list === 'zones') this.#plan();
    else if (list === 'regions') this.#remeasure();
    else if (list === 'assets') for (const row of rows) if (this.#take(row as Asset)) this.#plan();
  }

  removed(list: RegistryList, id: string): void {
    if (list === 'regions') this.#remeasure();
    else if (list === 'zones' || (list === 'assets' && this.#assets.delete(id))) this.#plan();
  }

  /** What changes with time: the wall clock, whether anything receives Remote ID, and the sensors whose silence is told. */
  check(sensors: readonly Sensor[], watched: readonly SensorFact[]): void {
    this.#briefing.setSensors(watched);
    const { site } = this.#briefing;
    const listens = sensors.some(({ modality, state }) => modality === 'remote_id' && state === 'operational');
    const utcOffsetMs = this.#rim.utcOffsetMs();
    const moved = Math.abs(utcOffsetMs - site.utcOffsetMs) > OFFSET_MS;
    if (listens !== site.listens || moved) this.#briefing.setSite({ listens, utcOffsetMs });
  }

  /** Returns whether the core has to know of it. */
  #take(asset: Asset): boolean {
    const value = assetValue(asset, this.#rim.heights);
    const was = this.#assets.get(asset.id);
    if (value) this.#assets.set(asset.id, { asset, value });
    else this.#assets.delete(asset.id);
    return JSON.stringify(was?.value) !== JSON.stringify(value ?? undefined);
  }

  /** The ground may be higher or lower now. */
  #remeasure(): void {
    for (const { asset } of [...this.#assets.values()]) this.#take(asset);
    this.#plan();
  }

  #plan(): void {
    if (this.#planned) return;
    this.#planned = true;
    setImmediate(() => {
      this.#planned = false;
      this.#tell();
    });
  }

  #tell(): void {
    const zones: ZoneValue[] = this.#rim.zones().map((zone) => zoneValue(zone, this.#rim.heights));
    const assets = [...this.#assets.values()].map(({ value }) => value);
    this.#briefing.setSite({ plan: { zones, assets }, utcOffsetMs: this.#rim.utcOffsetMs() });
  }
}

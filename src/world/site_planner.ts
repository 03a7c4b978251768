import type { SensorFact } from '../core/rules/facts.ts';
import type { AssetValue, ZoneValue } from '../core/site/site_plan.ts';
import type { Heights } from '../geo/geoid.ts';
import type { Asset } from '../model/asset.ts';
import type { Sensor } from '../model/sensor.ts';
import type { Zone } from '../model/zone.ts';
import type { RegistryList } from '../picture/row_events.ts';
import type { CoreConfiguration } from './core_configuration.ts';
import { assetValue, zoneValue } from './site_plan.ts';

/** Largest change of the UTC offset that is not sent to the core, ms. Schedules need only be exact to the minute. */
const OFFSET_MS = 1_000;

export type SiteDeps = {
  zones(): readonly Zone[];
  heights: Heights;
  utcOffsetMs(): number;
};

/**
 * Sends the zones and protected assets of a site to the core. Changes within one turn of the event loop go in one
 * message.
 */
export class SitePlanner {
  readonly #coreConfiguration: CoreConfiguration;
  readonly #deps: SiteDeps;
  /** Protected assets only: most assets are not protected, and there may be many. */
  readonly #assets = new Map<string, { asset: Asset; value: AssetValue }>();
  #planned = false;

  constructor(coreConfiguration: CoreConfiguration, deps: SiteDeps) {
    this.#coreConfiguration = coreConfiguration;
    this.#deps = deps;
  }

  begin(assets: readonly Asset[]): void {
    for (const asset of assets) this.#take(asset);
    this.#publish();
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

  /**
   * Sends the values that change with time, if they changed: sensor states, UTC offset, and whether a Remote ID sensor
   * is operational.
   */
  check(sensors: readonly Sensor[], watched: readonly SensorFact[]): void {
    this.#coreConfiguration.setSensors(watched);
    const { site } = this.#coreConfiguration;
    const listens = sensors.some(({ modality, state }) => modality === 'remote_id' && state === 'operational');
    const utcOffsetMs = this.#deps.utcOffsetMs();
    const moved = Math.abs(utcOffsetMs - site.utcOffsetMs) > OFFSET_MS;
    if (listens !== site.listens || moved) this.#coreConfiguration.setSite({ listens, utcOffsetMs });
  }

  /** Stores the protected form of an asset. Returns true if that form changed and must be sent to the core. */
  #take(asset: Asset): boolean {
    const value = assetValue(asset, this.#deps.heights);
    const was = this.#assets.get(asset.id);
    if (value) this.#assets.set(asset.id, { asset, value });
    else this.#assets.delete(asset.id);
    return JSON.stringify(was?.value) !== JSON.stringify(value ?? undefined);
  }

  /** Converts all protected assets again, because the ground heights may have changed. */
  #remeasure(): void {
    for (const { asset } of [...this.#assets.values()]) this.#take(asset);
    this.#plan();
  }

  #plan(): void {
    if (this.#planned) return;
    this.#planned = true;
    setImmediate(() => {
      this.#planned = false;
      this.#publish();
    });
  }

  #publish(): void {
    const zones: ZoneValue[] = this.#deps.zones().map((zone) => zoneValue(zone, this.#deps.heights));
    const assets = [...this.#assets.values()].map(({ value }) => value);
    this.#coreConfiguration.setSite({ plan: { zones, assets }, utcOffsetMs: this.#deps.utcOffsetMs() });
  }
}

import type { FleetRow } from '../model/fleet.ts';
import { sameJson } from '../model/same_json.ts';
import type { AdoptedAsset, FleetDeps, FleetRegistry } from './deps.ts';

const PUBLISH_EVERY_MS = 1_000;

/** Rows of adopted vehicles that have no row as a received vehicle. */
export class Unheard {
  readonly #deps: Pick<FleetDeps, 'shown' | 'gone'>;
  /** Published rows, by asset id. */
  readonly #published = new Map<string, FleetRow>();
  #publishedMs = Number.NEGATIVE_INFINITY;

  constructor(deps: Pick<FleetDeps, 'shown' | 'gone'>) {
    this.#deps = deps;
  }

  rows(registry: FleetRegistry | null, received: readonly FleetRow[]): FleetRow[] {
    const assets = new Set(received.map(({ asset_id }) => asset_id));
    const keys = new Set(received.map(({ key }) => key));
    const silent = (registry?.adopted() ?? []).filter(({ id, key }) => !assets.has(id) && !keys.has(key));
    return silent.map(unheardRow);
  }

  /** Publishes changed rows, at most once a second. */
  publish(registry: FleetRegistry | null, received: () => readonly FleetRow[], nowMs: number): void {
    if (registry === null || nowMs - this.#publishedMs < PUBLISH_EVERY_MS) return;
    this.#publishedMs = nowMs;
    const shown = received();
    const rows = this.rows(registry, shown);
    const [now, keys] = [new Set<string>(), new Set([...shown, ...rows].map(({ key }) => key))];
    for (const row of rows) {
      const id = row.asset_id ?? '';
      now.add(id);
      if (sameJson(row, this.#published.get(id) ?? null)) continue;
      this.#published.set(id, row);
      this.#deps.shown(row);
    }
    for (const [id, { key }] of this.#published) {
      if (now.has(id)) continue;
      this.#published.delete(id);
      // A received vehicle may have the same key by now.
      if (!keys.has(key)) this.#deps.gone(key);
    }
  }
}

function unheardRow({ id, name, key, connection, provenance, sysid, compid }: AdoptedAsset): FleetRow {
  return {
    ...{ key, aliases: [], asset_id: id, name, adopted: true, connection, readiness: 'unknown' },
    ...{ autopilot: null, vehicle_type: null, sysid, compid, link_id: null, link_ids: [], mode: null, armed: null },
    ...{ landed: 'unknown', position: null, velocity: null, home: null, energy_pct: null, endurance_s: null },
    ...{ control: { owner: 'unknown' }, verbs: [], task_id: null, health: [], last_seen_at: null, provenance },
  };
}

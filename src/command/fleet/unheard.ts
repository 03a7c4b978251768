import type { FleetRow } from '../../model/fleet.ts';
import { sameJson } from '../../model/same_json.ts';
import type { AdoptedAsset, FleetRegistry, FleetRim } from './rim.ts';

const LOOK_EVERY_MS = 1_000;

/** Rows of adopted vehicles that no link of the world has received a heartbeat of. */
export class Unheard {
  readonly #rim: Pick<FleetRim, 'shown' | 'gone'>;
  /** By asset. */
  readonly #told = new Map<string, FleetRow>();
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(rim: Pick<FleetRim, 'shown' | 'gone'>) {
    this.#rim = rim;
  }

  rows(registry: FleetRegistry | null, heard: readonly FleetRow[]): FleetRow[] {
    const assets = new Set(heard.map(({ asset_id }) => asset_id));
    const keys = new Set(heard.map(({ key }) => key));
    const silent = (registry?.adopted() ?? []).filter(({ id, key }) => !assets.has(id) && !keys.has(key));
    return silent.map(unheardRow);
  }

  /** Publishes what changed, about once a second. */
  look(registry: FleetRegistry | null, heard: () => readonly FleetRow[], nowMs: number): void {
    if (registry === null || nowMs - this.#lookedMs < LOOK_EVERY_MS) return;
    this.#lookedMs = nowMs;
    const shown = heard();
    const rows = this.rows(registry, shown);
    const [now, keys] = [new Set<string>(), new Set([...shown, ...rows].map(({ key }) => key))];
    for (const row of rows) {
      const id = row.asset_id ?? '';
      now.add(id);
      if (sameJson(row, this.#told.get(id) ?? null)) continue;
      this.#told.set(id, row);
      this.#rim.shown(row);
    }
    for (const [id, { key }] of this.#told) {
      if (now.has(id)) continue;
      this.#told.delete(id);
      // One that is received by now may bear the same key.
      if (!keys.has(key)) this.#rim.gone(key);
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

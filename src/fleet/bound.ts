import type { FleetAsset, FleetRegistry } from './deps.ts';
import type { Vehicle } from './vehicle.ts';

const BOUND_FOR_MS = 1_000;

type Binding = { asset: FleetAsset | null; generation: number; names: number; atMs: number };

/**
 * Caches the asset that each vehicle is bound to, because each message of a vehicle needs it. An entry lasts 1 s, or
 * until a binding changes.
 */
export class Bindings {
  readonly #registry: () => FleetRegistry | null;
  readonly #known = new WeakMap<Vehicle, Binding>();

  constructor(registry: () => FleetRegistry | null) {
    this.#registry = registry;
  }

  assetOf(vehicle: Vehicle, nowMs: number): FleetAsset | null {
    const [endpoint] = vehicle.endpoints.all();
    const registry = this.#registry();
    if (!endpoint || !registry) return null;
    const generation = registry.generation();
    const names = vehicle.aliases.size;
    const known = this.#known.get(vehicle);
    if (known?.generation === generation && known.names === names && nowMs - known.atMs < BOUND_FOR_MS)
      return known.asset;
    const { key, aliases, sysid, compid } = vehicle;
    const asset = registry.assetOf(key === null ? [...aliases] : [key, ...aliases], endpoint.linkId, sysid, compid);
    this.#known.set(vehicle, { asset, generation, names, atMs: nowMs });
    return asset;
  }
}

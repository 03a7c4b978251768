import { systemActor } from '../../model/actor.ts';
import type { Registry } from '../../registry/registry.ts';
import type { VehicleFacts } from '../../sim/runs/engine.ts';

/** Tag of the assets that a scenario created in the simulated environment. */
const VEHICLE_TAG = 'twin';
/**
 * Prefix of a simulated vehicle's alias. The alias identifies the vehicle and addresses its commands; people cannot
 * delete it.
 */
export const VEHICLE_NAME = 'twin:';

/**
 * Creates an asset of the simulated environment for each own vehicle of a scenario. Deletes the assets of an earlier
 * scenario first. Returns the asset ids by actor id.
 */
export function adoptVehicles(registry: Registry, vehicles: readonly VehicleFacts[]): Map<string, string> {
  dismissVehicles(registry);
  const assetOf = new Map<string, string>();
  try {
    for (const vehicle of vehicles) assetOf.set(vehicle.actorId, adopt(registry, vehicle));
  } catch (thrown) {
    // If a run fails to begin, its vehicles are deleted again.
    dismissVehicles(registry);
    throw thrown;
  }
  return assetOf;
}

/** Deletes the assets of simulated vehicles. */
export function dismissVehicles({ assets }: Registry): void {
  const simulated = new Set(assets.namedLike(VEHICLE_NAME));
  // Assets that people attached to simulated vehicles, such as payloads, are kept and detached.
  for (const { id, spec, placement } of assets.list())
    if (simulated.has(placement?.carried_by ?? '')) assets.update(id, { spec, placement: {} }, systemActor);
  for (const id of simulated) assets.remove(id, systemActor);
}

function adopt(registry: Registry, { actorId, name, catalog, sysid, compid, serial }: VehicleFacts): string {
  const spec = {
    domain: 'air' as const,
    mavlink: { sysid, compid },
    tags: [VEHICLE_TAG],
    ...(catalog === null ? {} : { model: catalog }),
    ...(serial === null ? {} : { remote_id_serial: serial }),
  };
  const { id } = registry.assets.create({ name, kind: 'platform', spec }, systemActor);
  registry.assets.learnAlias(id, `${VEHICLE_NAME}${actorId}`, systemActor);
  return id;
}

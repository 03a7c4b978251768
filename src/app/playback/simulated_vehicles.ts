import { systemActor } from '../../model/actor.ts';
import type { Registry } from '../../registry/registry.ts';
import type { VehicleFacts } from '../../sim/runs/engine.ts';

/** Tag of the assets that a scenario created in the simulated environment. */
const VEHICLE_TAG = 'twin';
/** Prefix of a simulated vehicle's alias, which identifies it and addresses commands to it. People cannot delete an alias. */
export const VEHICLE_NAME = 'twin:';

/**
 * Creates assets of the simulated environment for a scenario's own vehicles, and deletes those of an earlier scenario
 * first. Returns their ids by actor.
 */
export function adoptVehicles(registry: Registry, vehicles: readonly VehicleFacts[]): Map<string, string> {
  dismissVehicles(registry);
  const assetOf = new Map<string, string>();
  try {
    for (const vehicle of vehicles) assetOf.set(vehicle.actorId, adopt(registry, vehicle));
  } catch (thrown) {
    // A run that fails to begin leaves no vehicles behind.
    dismissVehicles(registry);
    throw thrown;
  }
  return assetOf;
}

export function dismissVehicles({ assets }: Registry): void {
  const simulated = new Set(assets.namedLike(VEHICLE_NAME));
  // Assets that people attached to simulated vehicles stay.
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

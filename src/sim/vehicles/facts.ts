import { createHash } from 'node:crypto';
import type { ScenarioActor } from '../../model/scenario.ts';

export type VehicleFacts = ReturnType<typeof factsOf>;

/**
 * Returns the facts from which the world creates an asset for a simulated vehicle. The engine has assigned system id
 * and serial already.
 */
export function factsOf({ id, name, catalog, mavlink, remote_id }: ScenarioActor) {
  return {
    actorId: id,
    name: name ?? id,
    catalog: catalog ?? null,
    sysid: mavlink?.sysid ?? 1,
    /** MAVLink component id: MAV_COMP_ID_AUTOPILOT1. */
    compid: 1,
    link: `sim-twin-${id}`,
    /** Serial number of the vehicle's Remote ID; null for none. */
    serial: remote_id?.serial ?? null,
    /** Hardware id that the vehicle reports: 36 hexadecimal digits, the same in every run. */
    uid2: createHash('sha256').update(`twin ${id}`).digest('hex').slice(0, 36),
  };
}

/**
 * Returns the system ids of all simulated vehicles of a scenario, by actor id. Actors without one get the lowest free
 * ids.
 */
export function vehicleSysids(actors: readonly ScenarioActor[]): Map<string, number> {
  const vehicles = actors.filter(({ kind, mavlink }) => kind === 'asset' && mavlink !== undefined);
  const taken = new Set(vehicles.flatMap(({ mavlink }) => mavlink?.sysid ?? []));
  const sysids = new Map<string, number>();
  let next = 1;
  for (const { id, mavlink } of vehicles) {
    if (mavlink?.sysid === undefined) while (taken.has(next)) next++;
    const sysid = mavlink?.sysid ?? next;
    taken.add(sysid);
    sysids.set(id, sysid);
  }
  return sysids;
}

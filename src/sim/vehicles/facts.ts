import { createHash } from 'node:crypto';
import type { ScenarioActor } from '../../model/scenario.ts';

export type VehicleFacts = ReturnType<typeof factsOf>;

/** Facts from which the world creates an asset for a simulated vehicle. System id and serial are assigned by the engine. */
export function factsOf({ id, name, catalog, mavlink, remote_id }: ScenarioActor) {
  return {
    actorId: id,
    name: name ?? id,
    catalog: catalog ?? null,
    sysid: mavlink?.sysid ?? 1,
    /** MAV_COMP_ID_AUTOPILOT1. */
    compid: 1,
    link: `sim-twin-${id}`,
    /** Serial number of its Remote ID. */
    serial: remote_id?.serial ?? null,
    /** Hardware id that it reports: 36 hexadecimal digits, the same in every run. */
    uid2: createHash('sha256').update(`twin ${id}`).digest('hex').slice(0, 36),
  };
}

/** System ids of all simulated vehicles of a scenario: those that actors give, and for the others the lowest free ones. */
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

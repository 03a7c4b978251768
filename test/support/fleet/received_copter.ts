import type { MavlinkGlobalPosition, MavlinkHeartbeat } from '../../../src/edge/wire/message.ts';
import type { Fleet } from '../../../src/fleet/fleet.ts';
import type { Vehicle } from '../../../src/fleet/vehicle.ts';

const LINK = '1b6f1f1a-52e1-5a0e-8d5f-000000000011';
const source = { sysid: 7, compid: 1, seq: 0, signed: false };

/** Lets the fleet receive a copter in GUIDED flight at 45 m, near the place of the examples. */
export function receiveCopter(fleet: Fleet, atMs = fleet.nowMs()): Vehicle {
  const heartbeat: MavlinkHeartbeat = {
    ...{ kind: 'heartbeat', ...source, type: 2, autopilot: 3, baseMode: 217, customMode: 4, systemStatus: 4 },
    mavlinkVersion: 3,
  };
  const position: MavlinkGlobalPosition = {
    ...{ kind: 'global_position', ...source, timeBootMs: Math.round(atMs), latDeg: 52.1, lonDeg: 4.2, altMslM: 49 },
    ...{ relativeAltM: 45, vNorthMps: 0, vEastMps: 0, vDownMps: 0, headingDeg: 0 },
  };
  fleet.take(LINK, heartbeat, '', atMs);
  fleet.take(LINK, position, '', atMs);
  const vehicle = fleet.vehicles()[0];
  if (!vehicle) throw new Error('the fleet has no vehicle');
  vehicle.landed = { value: 'in_air', atMs };
  vehicle.home = { latDeg: 52.1, lonDeg: 4.2, altMslM: 4 };
  vehicle.key ??= 'received copter';
  return vehicle;
}

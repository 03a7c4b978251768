import type { BuiltinRuleId } from '../../../model/builtin_rules.ts';
import type { Builtin } from '../evaluation.ts';
import { friendCloned, suspectRemoteId } from './claims.ts';
import { loitering, rapidDescent, repeatVisitor } from './conduct.ts';
import { crewedAircraftNear, ownPlatformClose } from './own_vehicles.ts';
import { sensorSilent, sensorTableFull } from './sensors.ts';
import { swarm } from './swarm.ts';
import { unidentifiedInProtectedZone, zoneApproach, zoneDwell, zoneEntry } from './zones.ts';

/** Built-in rules by id. */
export const builtins: Readonly<Record<BuiltinRuleId, Builtin>> = {
  zone_entry: zoneEntry,
  zone_dwell: zoneDwell,
  zone_approach: zoneApproach,
  unidentified_in_protected_zone: unidentifiedInProtectedZone,
  suspect_remote_id: suspectRemoteId,
  friend_cloned: friendCloned,
  swarm,
  loitering,
  repeat_visitor: repeatVisitor,
  rapid_descent: rapidDescent,
  sensor_silent: sensorSilent,
  sensor_table_full: sensorTableFull,
  own_platform_close: ownPlatformClose,
  crewed_aircraft_near: crewedAircraftNear,
};

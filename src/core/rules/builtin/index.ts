import type { BuiltinRuleId } from '../../../model/builtin_rules.ts';
import type { Builtin } from '../look.ts';
import { crewedAircraftNear } from './crewed_aircraft_near.ts';
import { friendCloned } from './friend_cloned.ts';
import { loitering } from './loitering.ts';
import { ownPlatformClose } from './own_platform_close.ts';
import { rapidDescent } from './rapid_descent.ts';
import { repeatVisitor } from './repeat_visitor.ts';
import { sensorSilent } from './sensor_silent.ts';
import { sensorTableFull } from './sensor_table_full.ts';
import { suspectRemoteId } from './suspect_remote_id.ts';
import { swarm } from './swarm.ts';
import { unidentifiedInProtectedZone } from './unidentified_in_protected_zone.ts';
import { zoneApproach } from './zone_approach.ts';
import { zoneDwell } from './zone_dwell.ts';
import { zoneEntry } from './zone_entry.ts';

/** What each built-in rule does. */
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

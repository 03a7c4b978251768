import { CommandInt, CommandLong } from 'mavlink-mappings/dist/lib/common.js';
import { Fault } from '../../../model/fault.ts';
import { writeFields } from './message_fields.ts';
import type { Payload } from './write.ts';

/** System id and component id that a command is sent to. */
export type CommandTarget = { sysid: number; compid: number };

/**
 * Writes COMMAND_LONG with seven floats. Throws for NaN and infinite numbers, because autopilots that trap
 * floating-point exceptions crash on NaN in flight.
 */
export function writeCommandLong(
  { sysid, compid }: CommandTarget,
  command: number,
  params: readonly number[],
  confirmation: number,
): Payload {
  const [_param1 = 0, _param2 = 0, _param3 = 0, _param4 = 0, _param5 = 0, _param6 = 0, _param7 = 0] = finite(
    params,
    command,
  );
  return writeFields(CommandLong, {
    ...{ targetSystem: sysid, targetComponent: compid, command, confirmation: Math.min(confirmation, 255) },
    ...{ _param1, _param2, _param3, _param4, _param5, _param6, _param7 },
  });
}

/**
 * Position of a command. `frame` is a MAV_FRAME: 0 for an altitude above mean sea level, 3 for an altitude above home.
 */
export type CommandPlace = { latDeg: number; lonDeg: number; altM: number; frame: 0 | 3 };

/**
 * Writes COMMAND_INT with four floats and a position in degE7. A command with a position uses this form, unless the
 * vehicle accepts the command only as COMMAND_LONG.
 */
export function writeCommandInt(
  { sysid, compid }: CommandTarget,
  command: number,
  params: readonly number[],
  { latDeg, lonDeg, altM, frame }: CommandPlace,
): Payload {
  const [_param1 = 0, _param2 = 0, _param3 = 0, _param4 = 0] = finite(params.slice(0, 4), command);
  const [lat, lon, _param7] = finite([latDeg, lonDeg, altM] as const, command);
  return writeFields(CommandInt, {
    ...{ targetSystem: sysid, targetComponent: compid, command, frame },
    ...{ _param1, _param2, _param3, _param4 },
    ...{ _param5: Math.round(lat * 1e7), _param6: Math.round(lon * 1e7), _param7 },
  });
}

function finite<Values extends readonly number[]>(values: Values, command: number): Values {
  for (const value of values) {
    if (!Number.isFinite(value)) {
      throw new Fault('internal', `the MAVLink command ${command} must not contain the value ${value}`);
    }
  }
  return values;
}

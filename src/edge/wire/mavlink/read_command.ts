import { CommandInt, CommandLong, SetMode } from 'mavlink-mappings/dist/lib/common.js';
import { readFields } from './message_fields.ts';

/** Commands to a vehicle, as simulated vehicles read them. */

/**
 * Position of a command; `altM` is in metres. `frame` is the MAV_FRAME that defines the altitude of a COMMAND_INT; null
 * for a COMMAND_LONG.
 */
export type ReceivedPlace = { latDeg: number; lonDeg: number; altM: number; frame: number | null };

/** COMMAND_LONG or COMMAND_INT. Parameters that the sender does not use are kept as sent: zero or NaN. */
export type ReceivedCommand = {
  command: number;
  targetSystem: number;
  targetComponent: number;
  params: readonly [number, number, number, number];
  /** Parameters 5 to 7. They are a position only in commands that have one. */
  place: ReceivedPlace;
};

export function readCommandLong(payload: Uint8Array): ReceivedCommand {
  const received = readFields(CommandLong, payload);
  return commandOf(received, {
    latDeg: received._param5,
    lonDeg: received._param6,
    altM: received._param7,
    frame: null,
  });
}

export function readCommandInt(payload: Uint8Array): ReceivedCommand {
  const message = readFields(CommandInt, payload);
  const { _param5: latE7, _param6: lonE7, _param7: altM, frame } = message;
  return commandOf(message, { latDeg: latE7 / 1e7, lonDeg: lonE7 / 1e7, altM, frame });
}

function commandOf(message: CommandLong | CommandInt, place: ReceivedPlace): ReceivedCommand {
  const { command, targetSystem, targetComponent, _param1, _param2, _param3, _param4 } = message;
  return { command, targetSystem, targetComponent, params: [_param1, _param2, _param3, _param4], place };
}

/** Reads SET_MODE, which is older than the command protocol and is not acknowledged. */
export function readSetMode(payload: Uint8Array): { customMode: number; targetSystem: number } {
  const { customMode, targetSystem } = readFields(SetMode, payload);
  return { customMode, targetSystem };
}

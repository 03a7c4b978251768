import { Fault } from '../../../model/fault.ts';
import { messageIds } from './known.ts';
import { emptyPayload, type Payload } from './write.ts';

/** Whom a command is for. */
export type CommandTarget = { sysid: number; compid: number };

/** COMMAND_LONG: seven floats. A NaN is refused here: autopilots that trap floating point exceptions die of it in flight. */
export function writeCommandLong(
  { sysid, compid }: CommandTarget,
  command: number,
  params: readonly number[],
  confirmation: number,
): Payload {
  const written = emptyPayload(messageIds.commandLong);
  const { payload } = written;
  params.forEach((value, index) => {
    payload.writeFloatLE(finite(value, command), index * 4);
  });
  payload.writeUInt16LE(command, 28);
  payload[30] = sysid;
  payload[31] = compid;
  payload[32] = Math.min(confirmation, 255);
  return written;
}

/** Where a command is about; `frame` is MAV_FRAME: 0 above mean sea level, 3 above home. */
export type CommandPlace = { latDeg: number; lonDeg: number; altM: number; frame: 0 | 3 };

/** COMMAND_INT: four floats and a place in degE7, the form for everything with a position. */
export function writeCommandInt(
  { sysid, compid }: CommandTarget,
  command: number,
  params: readonly number[],
  { latDeg, lonDeg, altM, frame }: CommandPlace,
): Payload {
  const written = emptyPayload(messageIds.commandInt);
  const { payload } = written;
  params.slice(0, 4).forEach((value, index) => {
    payload.writeFloatLE(finite(value, command), index * 4);
  });
  payload.writeInt32LE(Math.round(finite(latDeg, command) * 1e7), 16);
  payload.writeInt32LE(Math.round(finite(lonDeg, command) * 1e7), 20);
  payload.writeFloatLE(finite(altM, command), 24);
  payload.writeUInt16LE(command, 28);
  payload[30] = sysid;
  payload[31] = compid;
  payload[32] = frame;
  return written;
}

function finite(value: number, command: number): number {
  if (!Number.isFinite(value)) {
    throw new Fault('internal', `the MAVLink command ${command} must not carry ${value}`);
  }
  return value;
}

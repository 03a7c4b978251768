import type { MavlinkGlobalPosition, MavlinkHeartbeat, MavlinkSource } from '../message.ts';
import { type KnownMessage, knownMessage, messageIds } from './known.ts';

/** A message ready for a frame. */
export type Payload = { msgid: number; payload: Buffer };

/** A decoded message without where it came from. */
type Content<Message> = Omit<Message, keyof MavlinkSource | 'kind'>;

/** Zeros of the message's full length. */
export function emptyPayload(msgid: number): Payload {
  const { maxLength } = knownMessage(msgid) as KnownMessage;
  return { msgid, payload: Buffer.alloc(maxLength) };
}

/** HEARTBEAT. */
export function writeHeartbeat(heartbeat: Content<MavlinkHeartbeat>): Payload {
  const written = emptyPayload(messageIds.heartbeat);
  const { payload } = written;
  payload.writeUInt32LE(heartbeat.customMode, 0);
  payload[4] = heartbeat.type;
  payload[5] = heartbeat.autopilot;
  payload[6] = heartbeat.baseMode;
  payload[7] = heartbeat.systemStatus;
  payload[8] = heartbeat.mavlinkVersion;
  return written;
}

/** GLOBAL_POSITION_INT: degE7, millimetres, centimetres a second, centidegrees. */
export function writeGlobalPosition(position: Content<MavlinkGlobalPosition>): Payload {
  const written = emptyPayload(messageIds.globalPositionInt);
  const { payload } = written;
  payload.writeUInt32LE(position.timeBootMs, 0);
  payload.writeInt32LE(Math.round((position.latDeg ?? 0) * 1e7), 4);
  payload.writeInt32LE(Math.round((position.lonDeg ?? 0) * 1e7), 8);
  payload.writeInt32LE(Math.round(position.altMslM * 1000), 12);
  payload.writeInt32LE(Math.round(position.relativeAltM * 1000), 16);
  payload.writeInt16LE(Math.round(position.vNorthMps * 100), 20);
  payload.writeInt16LE(Math.round(position.vEastMps * 100), 22);
  payload.writeInt16LE(Math.round(position.vDownMps * 100), 24);
  payload.writeUInt16LE(position.headingDeg === null ? 65_535 : Math.round(position.headingDeg * 100) % 36_000, 26);
  return written;
}

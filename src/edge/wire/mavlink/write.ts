import { GlobalPositionInt } from 'mavlink-mappings/dist/lib/common.js';
import { Heartbeat } from 'mavlink-mappings/dist/lib/minimal.js';
import type { MavlinkGlobalPosition, MavlinkHeartbeat, MavlinkSource } from '../message.ts';
import { writeFields } from './message_fields.ts';

/** Message ready for a frame: its payload has the message's full length. */
export type Payload = { msgid: number; payload: Buffer };

/** Decoded message without `kind` and the fields of its frame (sender, sequence number, signature). */
type Content<Message> = Omit<Message, keyof MavlinkSource | 'kind'>;

/** Writes HEARTBEAT. */
export function writeHeartbeat(heartbeat: Content<MavlinkHeartbeat>): Payload {
  return writeFields(Heartbeat, heartbeat);
}

/** Writes GLOBAL_POSITION_INT, whose units are degE7, mm, cm/s and centidegrees. */
export function writeGlobalPosition(position: Content<MavlinkGlobalPosition>): Payload {
  return writeFields(GlobalPositionInt, {
    timeBootMs: position.timeBootMs,
    lat: Math.round((position.latDeg ?? 0) * 1e7),
    lon: Math.round((position.lonDeg ?? 0) * 1e7),
    alt: Math.round(position.altMslM * 1000),
    relativeAlt: Math.round(position.relativeAltM * 1000),
    vx: Math.round(position.vNorthMps * 100),
    vy: Math.round(position.vEastMps * 100),
    vz: Math.round(position.vDownMps * 100),
    hdg: position.headingDeg === null ? 65_535 : Math.round(position.headingDeg * 100) % 36_000,
  });
}

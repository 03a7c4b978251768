import { createMavlinkCodec, type MavlinkCodec } from '../../../../src/edge/wire/mavlink/codec.ts';
import { encodeFrame } from '../../../../src/edge/wire/mavlink/encode.ts';
import { writeHeartbeat } from '../../../../src/edge/wire/mavlink/write.ts';
import { writeOdid } from '../../../../src/edge/wire/mavlink/write_odid.ts';
import type { MavlinkMessage } from '../../../../src/edge/wire/message.ts';
import type { OdidBasicId, OdidLocation, OdidTag } from '../../../../src/edge/wire/odid/message.ts';

export const stream = (): MavlinkCodec => createMavlinkCodec({ datagrams: false });
export const datagrams = (): MavlinkCodec => createMavlinkCodec({ datagrams: true });

/** What a codec emits for one call. */
export function decode(codec: MavlinkCodec, bytes: Uint8Array, from = '', atMs = 0): MavlinkMessage[] {
  const messages: MavlinkMessage[] = [];
  codec.decode(bytes, from, atMs, (message) => messages.push(message));
  return messages;
}

/** What a fresh stream codec emits for these bytes in one call. */
export const decodeStream = (...parts: Uint8Array[]): MavlinkMessage[] => decode(stream(), Buffer.concat(parts));

export const seqs = (messages: MavlinkMessage[]): number[] => messages.map(({ seq }) => seq);

/** All refusals, whatever their reason. */
export function refusals({ rejects }: MavlinkCodec): Record<string, number> {
  return Object.fromEntries(Object.entries(rejects).filter(([, count]) => count > 0));
}

export const location: OdidLocation = {
  type: 'location',
  status: 2,
  latDeg: 51.5008765,
  lonDeg: -0.1246789,
  directionDeg: 90,
  speedHMps: 12.25,
  speedVMps: 1.5,
  altBaroM: 118.5,
  altGeoM: 165,
  heightM: 60.5,
  heightRef: 0,
  hAcc: 11,
  vAcc: 4,
  baroAcc: 3,
  speedAcc: 3,
  tsAcc: 2,
  secondsAfterHour: 1234.5,
  implausible: false,
};

export const basicId: OdidBasicId = { type: 'basic_id', idType: 1, uaType: 2, uasId: '1581F5FKD22940012345' };

export const tag: OdidTag = { mac: 'AA:BB:CC:00:00:01' };

type Source = { sysid?: number; compid?: number; version?: 1 | 2 };

export function locationFrame(seq: number, { sysid = 255, compid = 236 }: Source = {}): Buffer {
  return encodeFrame({ sysid, compid, seq, ...writeOdid(tag, location) });
}

export function heartbeatFrame(seq: number, { sysid = 1, compid = 1, version = 2 }: Source = {}): Buffer {
  const heartbeat = { type: 2, autopilot: 3, baseMode: 81, customMode: 4, systemStatus: 4, mavlinkVersion: 3 };
  return encodeFrame({ version, sysid, compid, seq, ...writeHeartbeat(heartbeat) });
}

/** The bytes with one of them changed. */
export function broken(frame: Buffer, at: number): Buffer {
  const copy = Buffer.from(frame);
  copy[at] = (copy[at] ?? 0) ^ 0x55;
  return copy;
}

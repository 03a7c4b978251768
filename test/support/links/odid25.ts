import { OpenDroneIdMessagePack } from 'mavlink-mappings/dist/lib/common.js';
import { writeFields } from '../../../src/edge/wire/mavlink/message_fields.ts';
import { idOrMac } from '../../../src/edge/wire/mavlink/tag.ts';
import type { Payload } from '../../../src/edge/wire/mavlink/write.ts';
import { degE7, secondsSince2019 } from '../../../src/edge/wire/mavlink/write_odid.ts';
import {
  AUTH_FIRST_PAGE_SIZE,
  AUTH_PAGE_SIZE,
  MESSAGE_SIZE,
  messageTypes,
  OPERATOR_ID_LENGTH,
  SELF_ID_LENGTH,
} from '../../../src/edge/wire/odid/decode25.ts';
import type {
  OdidAuth,
  OdidBasicId,
  OdidLocation,
  OdidMessage,
  OdidSystem,
  OdidTag,
} from '../../../src/edge/wire/odid/message.ts';
import { MAX_PACK_MESSAGES } from '../../../src/edge/wire/odid/pack.ts';
import { UNKNOWN_SECONDS } from '../../../src/edge/wire/odid/ranges.ts';
import { writeText, writeUasId } from '../../../src/edge/wire/odid/text.ts';

/** Messages that F3411 has; system updates and arm states exist on MAVLink only. */
export type BroadcastMessage = Exclude<OdidMessage, { type: 'system_update' | 'arm_status' }>;

/** F3411-22a. */
const PROTOCOL_VERSION = 2;

const typeOf = {
  basic_id: messageTypes.basicId,
  location: messageTypes.location,
  auth: messageTypes.auth,
  self_id: messageTypes.selfId,
  system: messageTypes.system,
  operator_id: messageTypes.operatorId,
} as const;

/**
 * One bare message of 25 bytes, quantised as the standard does: altitudes to 0.5 m, directions to 1°, speeds to 0.25
 * m/s (above 63.75 m/s to 0.75 m/s), climb to 0.5 m/s toward zero. Times are quantised to 0.1 s, radii down to 10 m.
 * Values outside the range are clamped to it; null becomes the sentinel.
 */
export function encodeMessage25(message: BroadcastMessage): Buffer {
  const bytes = Buffer.alloc(MESSAGE_SIZE);
  writeMessage25(bytes, 0, message);
  return bytes;
}

/** A bare pack: its header of 3 bytes and 1 to 9 messages. */
export function encodePack(messages: readonly BroadcastMessage[]): Buffer {
  const header = [(messageTypes.pack << 4) | PROTOCOL_VERSION, MESSAGE_SIZE, messages.length];
  return Buffer.concat([Buffer.from(header), contentOf(messages)]);
}

/** OPEN_DRONE_ID_MESSAGE_PACK of 1 to 9 messages, each quantised as on air. */
export function writeOdidPack(tag: OdidTag, messages: readonly BroadcastMessage[]): Payload {
  return writeFields(OpenDroneIdMessagePack, {
    idOrMac: idOrMac(tag),
    singleMessageSize: MESSAGE_SIZE,
    msgPackSize: messages.length,
    messages: [...contentOf(messages)],
  });
}

function contentOf(messages: readonly BroadcastMessage[]): Buffer {
  if (messages.length === 0 || messages.length > MAX_PACK_MESSAGES) {
    throw new RangeError(`a pack holds 1 to ${MAX_PACK_MESSAGES} messages, not ${messages.length}`);
  }
  return Buffer.concat(messages.map(encodeMessage25));
}

/** Writes one message into 25 zero bytes at `at`. */
function writeMessage25(bytes: Buffer, at: number, message: BroadcastMessage): void {
  bytes[at] = (typeOf[message.type] << 4) | PROTOCOL_VERSION;
  switch (message.type) {
    case 'basic_id':
      writeBasicId(bytes, at, message);
      break;
    case 'location':
      writeLocation(bytes, at, message);
      break;
    case 'auth':
      writeAuth(bytes, at, message);
      break;
    case 'self_id':
      bytes[at + 1] = message.descType;
      writeText(bytes, at + 2, SELF_ID_LENGTH, message.desc);
      break;
    case 'system':
      writeSystem(bytes, at, message);
      break;
    case 'operator_id':
      bytes[at + 1] = message.operatorIdType;
      writeText(bytes, at + 2, OPERATOR_ID_LENGTH, message.operatorId);
      break;
  }
}

function writeBasicId(bytes: Buffer, at: number, { idType, uaType, uasId }: OdidBasicId): void {
  bytes[at + 1] = (idType << 4) | uaType;
  writeUasId(bytes, at + 2, idType, uasId);
}

function writeLocation(bytes: Buffer, at: number, location: OdidLocation): void {
  const direction = encodeDirection(location.directionDeg);
  const speed = encodeSpeedH(location.speedHMps);
  bytes[at + 1] =
    (location.status << 4) | (location.heightRef << 2) | (direction >= 180 ? 2 : 0) | (speed.multiplied ? 1 : 0);
  bytes[at + 2] = direction >= 180 ? direction - 180 : direction;
  bytes[at + 3] = speed.encoded;
  bytes.writeInt8(encodeSpeedV(location.speedVMps), at + 4);
  writePosition(bytes, at + 5, location.latDeg, location.lonDeg);
  bytes.writeUInt16LE(encodeAltitude(location.altBaroM), at + 13);
  bytes.writeUInt16LE(encodeAltitude(location.altGeoM), at + 15);
  bytes.writeUInt16LE(encodeAltitude(location.heightM), at + 17);
  bytes[at + 19] = (location.vAcc << 4) | location.hAcc;
  bytes[at + 20] = (location.baroAcc << 4) | location.speedAcc;
  const { secondsAfterHour } = location;
  bytes.writeUInt16LE(
    secondsAfterHour === null ? UNKNOWN_SECONDS : clamp(Math.round(secondsAfterHour * 10), 0, 36_000),
    at + 21,
  );
  bytes[at + 23] = location.tsAcc;
}

function writeAuth(bytes: Buffer, at: number, auth: OdidAuth): void {
  bytes[at + 1] = (auth.authType << 4) | auth.page;
  if (auth.page > 0) {
    bytes.set(auth.data.subarray(0, AUTH_PAGE_SIZE), at + 2);
    return;
  }
  bytes[at + 2] = auth.lastPage ?? 0;
  bytes[at + 3] = auth.length ?? 0;
  bytes.writeUInt32LE(secondsSince2019(auth.timestampUnixS), at + 4);
  bytes.set(auth.data.subarray(0, AUTH_FIRST_PAGE_SIZE), at + 8);
}

function writeSystem(bytes: Buffer, at: number, system: OdidSystem): void {
  bytes[at + 1] = (system.classificationType << 2) | system.operatorLocationType;
  writePosition(bytes, at + 2, system.operatorLatDeg, system.operatorLonDeg);
  bytes.writeUInt16LE(clamp(system.areaCount, 0, 65_535), at + 10);
  bytes[at + 12] = clamp(Math.trunc(system.areaRadiusM / 10), 0, 255);
  bytes.writeUInt16LE(encodeAltitude(system.areaCeilingM), at + 13);
  bytes.writeUInt16LE(encodeAltitude(system.areaFloorM), at + 15);
  bytes[at + 17] = (system.categoryEu << 4) | system.classEu;
  bytes.writeUInt16LE(encodeAltitude(system.operatorAltGeoM), at + 18);
  bytes.writeUInt32LE(secondsSince2019(system.timestampUnixS), at + 20);
}

function writePosition(bytes: Buffer, at: number, latDeg: number | null, lonDeg: number | null): void {
  const [latE7, lonE7] = degE7(latDeg, lonDeg);
  bytes.writeInt32LE(latE7, at);
  bytes.writeInt32LE(lonE7, at + 4);
}

function encodeDirection(deg: number | null): number {
  if (deg === null) return 361;
  const whole = Math.round(deg);
  return whole >= 360 ? 0 : Math.max(0, whole);
}

function encodeSpeedH(mps: number | null): { encoded: number; multiplied: boolean } {
  if (mps === null) return { encoded: 255, multiplied: true };
  if (mps <= 63.75) return { encoded: clamp(Math.round(mps * 4), 0, 255), multiplied: false };
  return { encoded: clamp(Math.round((mps - 63.75) / 0.75), 0, 254), multiplied: true };
}

function encodeSpeedV(mps: number | null): number {
  return mps === null ? 126 : clamp(Math.trunc(mps * 2), -124, 124);
}

function encodeAltitude(metres: number | null): number {
  return metres === null ? 0 : clamp(Math.round((metres + 1000) * 2), 1, 65_535);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

import { OPERATOR_ID_LENGTH, SELF_ID_LENGTH, systemTimeUnixS } from '../odid/decode25.ts';
import type { OdidBasicId, OdidLocation, OdidMessage, OdidSystem } from '../odid/message.ts';
import {
  allowed,
  isImpossible,
  readAltitudeM,
  readSecondsAfterHour,
  readSpeedHMps,
  readSpeedVMps,
  UNKNOWN_DIRECTION_DEG,
} from '../odid/ranges.ts';
import { readText, readUasId, UAS_ID_LENGTH } from '../odid/text.ts';
import { placeOf } from './fields.ts';

/**
 * Size of `ODID_UAS_Data` of opendroneid-core-c in bytes, and offsets of its parts. DroneScout receivers send this
 * structure as it lies in the memory of a 64-bit little-endian processor (RemoteID-MQTT-subscriber, mqtt_sub.py).
 */
const UAS_DATA_SIZE = 920;
const parts = { basicIds: [0, 32], location: 64, selfId: 776, system: 808, operatorId: 864 } as const;
/** Offsets of the flags that mark parts as valid. A part that is not valid may contain data of an earlier message. */
const valid = { basicIds: [892, 893], location: 894, selfId: 911, system: 912, operatorId: 913 } as const;

/** Reads the valid messages of the structure; `length` if the structure has another size. */
export function readUasData(bytes: Buffer): OdidMessage[] | 'length' {
  if (bytes.length !== UAS_DATA_SIZE) return 'length';
  const isValid = (flag: number): boolean => bytes[flag] === 1;
  const messages: OdidMessage[] = parts.basicIds.flatMap((at, index) =>
    isValid(valid.basicIds[index] ?? 0) ? basicId(bytes, at) : [],
  );
  if (isValid(valid.location)) messages.push(location(bytes, parts.location));
  if (isValid(valid.selfId)) {
    const at = parts.selfId;
    messages.push({
      type: 'self_id',
      descType: bytes.readUInt32LE(at),
      desc: printable(bytes, at + 4, SELF_ID_LENGTH),
    });
  }
  if (isValid(valid.system)) messages.push(system(bytes, parts.system));
  if (isValid(valid.operatorId)) {
    const at = parts.operatorId;
    const operatorId = printable(bytes, at + 4, OPERATOR_ID_LENGTH);
    messages.push({ type: 'operator_id', operatorIdType: bytes.readUInt32LE(at), operatorId });
  }
  return messages;
}

/** Reads a text field; empty if it is not printable ASCII, for example after a bit error. */
function printable(bytes: Buffer, at: number, length: number): string {
  const text = readText(bytes, at, length);
  return /^[\x20-\x7e]*$/.test(text) ? text : '';
}

const TEXT_ID_TYPES = 2;

function basicId(bytes: Buffer, at: number): OdidBasicId {
  const [uaType, idType] = [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)];
  const isText = idType <= TEXT_ID_TYPES;
  const uasId = isText ? printable(bytes, at + 8, UAS_ID_LENGTH) || null : readUasId(bytes, at + 8, idType);
  return { type: 'basic_id', idType, uaType, uasId };
}

function location(bytes: Buffer, at: number): OdidLocation {
  const direction = readDirectionDeg(bytes.readFloatLE(at + 4));
  const speedH = readSpeedHMps(bytes.readFloatLE(at + 8));
  const speedV = readSpeedVMps(bytes.readFloatLE(at + 12));
  const place = placeOf(bytes.readDoubleLE(at + 16), bytes.readDoubleLE(at + 24));
  const altitude = (offset: number): number | null => readAltitudeM(bytes.readFloatLE(at + offset));
  const heights = [altitude(32), altitude(36), altitude(44)];
  const seconds = readSecondsAfterHour(bytes.readFloatLE(at + 68));
  const accuracy = (offset: number): number => bytes.readUInt32LE(at + offset);
  const isImpossibleSpeed = speedH !== null && !(speedH >= 0);
  return {
    type: 'location',
    status: bytes.readUInt32LE(at),
    latDeg: place.latDeg,
    lonDeg: place.lonDeg,
    directionDeg: allowed(direction),
    speedHMps: isImpossibleSpeed ? null : speedH,
    speedVMps: allowed(speedV),
    altBaroM: allowed(heights[0] ?? null),
    altGeoM: allowed(heights[1] ?? null),
    heightM: allowed(heights[2] ?? null),
    heightRef: bytes.readUInt32LE(at + 40),
    hAcc: accuracy(48),
    vAcc: accuracy(52),
    baroAcc: accuracy(56),
    speedAcc: accuracy(60),
    tsAcc: accuracy(64),
    secondsAfterHour: allowed(seconds),
    implausible: !place.isPossible || isImpossibleSpeed || [direction, speedV, seconds, ...heights].some(isImpossible),
  };
}

function readDirectionDeg(degrees: number): number | null {
  if (degrees === UNKNOWN_DIRECTION_DEG) return null;
  if (degrees === 360) return 0;
  return degrees >= 0 && degrees < 360 ? degrees : Number.NaN;
}

function system(bytes: Buffer, at: number): OdidSystem {
  const place = placeOf(bytes.readDoubleLE(at + 8), bytes.readDoubleLE(at + 16));
  const altitude = (offset: number): number | null => allowed(readAltitudeM(bytes.readFloatLE(at + offset)));
  return {
    type: 'system',
    operatorLocationType: bytes.readUInt32LE(at),
    classificationType: bytes.readUInt32LE(at + 4),
    operatorLatDeg: place.latDeg,
    operatorLonDeg: place.lonDeg,
    areaCount: bytes.readUInt16LE(at + 24),
    areaRadiusM: bytes.readUInt16LE(at + 26),
    areaCeilingM: altitude(28),
    areaFloorM: altitude(32),
    categoryEu: bytes.readUInt32LE(at + 36),
    classEu: bytes.readUInt32LE(at + 40),
    operatorAltGeoM: altitude(44),
    timestampUnixS: systemTimeUnixS(bytes.readUInt32LE(at + 48)),
    implausible: !place.isPossible,
  };
}

import type { RejectReason } from '../../../model/link.ts';
import { authFirstPage, authPage, OPERATOR_ID_LENGTH, SELF_ID_LENGTH, systemTimeUnixS } from '../odid/decode25.ts';
import type { OdidAuth, OdidLocation, OdidMessage, OdidSystem, OdidSystemUpdate } from '../odid/message.ts';
import { decodePack } from '../odid/pack.ts';
import {
  allowed,
  isImpossible,
  isPossiblePosition,
  isUnknownPosition,
  MAX_NIBBLE,
  readAltitudeM,
  readSecondsAfterHour,
  readSpeedHMps,
  readSpeedVMps,
} from '../odid/ranges.ts';
import { readText, readUasId } from '../odid/text.ts';

/*
 * Readers of the OPEN_DRONE_ID_* payloads (common.xml). Each takes the payload filled with zeros to its full length, from
 * byte 0 of the buffer; offsets are those of the wire, which orders fields by size.
 */

const UNKNOWN_DIRECTION_CDEG = 36_100;
const FULL_CIRCLE_CDEG = 36_000;
const ARM_ERROR_LENGTH = 50;

/** OPEN_DRONE_ID_BASIC_ID. */
export function readBasicId(payload: Buffer): OdidMessage {
  const idType = payload[22] as number;
  return { type: 'basic_id', idType, uaType: payload[23] as number, uasId: readUasId(payload, 24, idType) };
}

/** OPEN_DRONE_ID_LOCATION. */
export function readLocation(payload: Buffer): OdidLocation {
  const latE7 = payload.readInt32LE(0);
  const lonE7 = payload.readInt32LE(4);
  const altBaro = readAltitudeM(payload.readFloatLE(8));
  const altGeo = readAltitudeM(payload.readFloatLE(12));
  const height = readAltitudeM(payload.readFloatLE(16));
  const seconds = readSecondsAfterHour(payload.readFloatLE(20));
  const direction = readDirectionDeg(payload.readUInt16LE(24));
  const speedH = readSpeedHMps(payload.readUInt16LE(26) / 100);
  const speedV = readSpeedVMps(payload.readInt16LE(28) / 100);
  const possible = isPossiblePosition(latE7, lonE7);
  const placed = possible && !isUnknownPosition(latE7, lonE7);
  return {
    type: 'location',
    status: payload[52] as number,
    latDeg: placed ? latE7 / 1e7 : null,
    lonDeg: placed ? lonE7 / 1e7 : null,
    directionDeg: allowed(direction),
    speedHMps: allowed(speedH),
    speedVMps: allowed(speedV),
    altBaroM: allowed(altBaro),
    altGeoM: allowed(altGeo),
    heightM: allowed(height),
    heightRef: payload[53] as number,
    hAcc: payload[54] as number,
    vAcc: payload[55] as number,
    baroAcc: payload[56] as number,
    speedAcc: payload[57] as number,
    tsAcc: payload[58] as number,
    secondsAfterHour: allowed(seconds),
    implausible:
      !possible ||
      isImpossible(direction) ||
      isImpossible(speedH) ||
      isImpossible(speedV) ||
      isImpossible(altBaro) ||
      isImpossible(altGeo) ||
      isImpossible(height) ||
      isImpossible(seconds) ||
      hasImpossibleEnum(payload),
  };
}

/** Centidegrees; a full circle is taken for north, as the reference implementation does. */
function readDirectionDeg(centidegrees: number): number | null {
  if (centidegrees < FULL_CIRCLE_CDEG) return centidegrees / 100;
  if (centidegrees === FULL_CIRCLE_CDEG) return 0;
  return centidegrees === UNKNOWN_DIRECTION_CDEG ? null : Number.NaN;
}

/** On air status and accuracies have four bits and the height reference one: more cannot have been received. */
function hasImpossibleEnum(payload: Buffer): boolean {
  if ((payload[52] as number) > MAX_NIBBLE || (payload[53] as number) > 1) return true;
  for (let at = 54; at <= 58; at++) if ((payload[at] as number) > MAX_NIBBLE) return true;
  return false;
}

/** OPEN_DRONE_ID_AUTHENTICATION; `implausible` for a page beyond the sixteen that the standard has. */
export function readAuth(payload: Buffer): OdidAuth | RejectReason {
  const authType = payload[26] as number;
  const page = payload[27] as number;
  const lastPage = payload[28] as number;
  if (page > MAX_NIBBLE || lastPage > MAX_NIBBLE) return 'implausible';
  if (page > 0) return authPage(authType, page, payload, 30);
  return authFirstPage(authType, lastPage, payload[29] as number, payload.readUInt32LE(0), payload, 30);
}

/** OPEN_DRONE_ID_SELF_ID. */
export function readSelfId(payload: Buffer): OdidMessage {
  return { type: 'self_id', descType: payload[22] as number, desc: readText(payload, 23, SELF_ID_LENGTH) };
}

/** OPEN_DRONE_ID_SYSTEM. */
export function readSystem(payload: Buffer): OdidSystem {
  const latE7 = payload.readInt32LE(0);
  const lonE7 = payload.readInt32LE(4);
  const ceiling = readAltitudeM(payload.readFloatLE(8));
  const floor = readAltitudeM(payload.readFloatLE(12));
  const altGeo = readAltitudeM(payload.readFloatLE(16));
  const possible = isPossiblePosition(latE7, lonE7);
  const placed = possible && !isUnknownPosition(latE7, lonE7);
  return {
    type: 'system',
    operatorLocationType: payload[50] as number,
    classificationType: payload[51] as number,
    operatorLatDeg: placed ? latE7 / 1e7 : null,
    operatorLonDeg: placed ? lonE7 / 1e7 : null,
    areaCount: payload.readUInt16LE(24),
    areaRadiusM: payload.readUInt16LE(26),
    areaCeilingM: allowed(ceiling),
    areaFloorM: allowed(floor),
    categoryEu: payload[52] as number,
    classEu: payload[53] as number,
    operatorAltGeoM: allowed(altGeo),
    timestampUnixS: systemTimeUnixS(payload.readUInt32LE(20)),
    implausible: !possible || isImpossible(ceiling) || isImpossible(floor) || isImpossible(altGeo),
  };
}

/** OPEN_DRONE_ID_SYSTEM_UPDATE. */
export function readSystemUpdate(payload: Buffer): OdidSystemUpdate {
  const latE7 = payload.readInt32LE(0);
  const lonE7 = payload.readInt32LE(4);
  const altGeo = readAltitudeM(payload.readFloatLE(8));
  const possible = isPossiblePosition(latE7, lonE7);
  const placed = possible && !isUnknownPosition(latE7, lonE7);
  return {
    type: 'system_update',
    operatorLatDeg: placed ? latE7 / 1e7 : null,
    operatorLonDeg: placed ? lonE7 / 1e7 : null,
    operatorAltGeoM: allowed(altGeo),
    timestampUnixS: systemTimeUnixS(payload.readUInt32LE(12)),
    implausible: !possible || isImpossible(altGeo),
  };
}

/** OPEN_DRONE_ID_OPERATOR_ID. */
export function readOperatorId(payload: Buffer): OdidMessage {
  return {
    type: 'operator_id',
    operatorIdType: payload[22] as number,
    operatorId: readText(payload, 23, OPERATOR_ID_LENGTH),
  };
}

/** OPEN_DRONE_ID_ARM_STATUS. */
export function readArmStatus(payload: Buffer): OdidMessage {
  return { type: 'arm_status', status: payload[0] as number, error: readText(payload, 1, ARM_ERROR_LENGTH) };
}

/** OPEN_DRONE_ID_MESSAGE_PACK: nine messages fit into its payload, whatever the header says. */
export function readPack(payload: Buffer): OdidMessage[] | RejectReason {
  return decodePack(payload, 24, payload[22] as number, payload[23] as number);
}

/** Where `id_or_mac` stands in the payloads that have one. */
export const tagOffsets = { basicId: 2, location: 32, auth: 6, selfId: 2, system: 30, operatorId: 2, pack: 2 } as const;

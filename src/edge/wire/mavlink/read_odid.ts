import type { RejectReason } from '../../../model/link.ts';
import { authFirstPage, authPage, OPERATOR_ID_LENGTH, SELF_ID_LENGTH, systemTimeUnixS } from '../odid/decode25.ts';
import type { Fields } from '../odid/fields.ts';
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
export function readBasicId(payload: Fields): OdidMessage {
  const idType = payload.view.getUint8(22);
  return { type: 'basic_id', idType, uaType: payload.view.getUint8(23), uasId: readUasId(payload.bytes, 24, idType) };
}

/** OPEN_DRONE_ID_LOCATION. */
export function readLocation(payload: Fields): OdidLocation {
  const latE7 = payload.view.getInt32(0, true);
  const lonE7 = payload.view.getInt32(4, true);
  const altBaro = readAltitudeM(payload.view.getFloat32(8, true));
  const altGeo = readAltitudeM(payload.view.getFloat32(12, true));
  const height = readAltitudeM(payload.view.getFloat32(16, true));
  const seconds = readSecondsAfterHour(payload.view.getFloat32(20, true));
  const direction = readDirectionDeg(payload.view.getUint16(24, true));
  const speedH = readSpeedHMps(payload.view.getUint16(26, true) / 100);
  const speedV = readSpeedVMps(payload.view.getInt16(28, true) / 100);
  const possible = isPossiblePosition(latE7, lonE7);
  const placed = possible && !isUnknownPosition(latE7, lonE7);
  return {
    type: 'location',
    status: payload.view.getUint8(52),
    latDeg: placed ? latE7 / 1e7 : null,
    lonDeg: placed ? lonE7 / 1e7 : null,
    directionDeg: allowed(direction),
    speedHMps: allowed(speedH),
    speedVMps: allowed(speedV),
    altBaroM: allowed(altBaro),
    altGeoM: allowed(altGeo),
    heightM: allowed(height),
    heightRef: payload.view.getUint8(53),
    hAcc: payload.view.getUint8(54),
    vAcc: payload.view.getUint8(55),
    baroAcc: payload.view.getUint8(56),
    speedAcc: payload.view.getUint8(57),
    tsAcc: payload.view.getUint8(58),
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
function hasImpossibleEnum(payload: Fields): boolean {
  if (payload.view.getUint8(52) > MAX_NIBBLE || payload.view.getUint8(53) > 1) return true;
  for (let at = 54; at <= 58; at++) if (payload.view.getUint8(at) > MAX_NIBBLE) return true;
  return false;
}

/** OPEN_DRONE_ID_AUTHENTICATION; `implausible` for a page beyond the sixteen that the standard has. */
export function readAuth(payload: Fields): OdidAuth | RejectReason {
  const authType = payload.view.getUint8(26);
  const page = payload.view.getUint8(27);
  const lastPage = payload.view.getUint8(28);
  if (page > MAX_NIBBLE || lastPage > MAX_NIBBLE) return 'implausible';
  if (page > 0) return authPage(authType, page, payload.bytes, 30);
  return authFirstPage(
    authType,
    lastPage,
    payload.view.getUint8(29),
    payload.view.getUint32(0, true),
    payload.bytes,
    30,
  );
}

/** OPEN_DRONE_ID_SELF_ID. */
export function readSelfId(payload: Fields): OdidMessage {
  return { type: 'self_id', descType: payload.view.getUint8(22), desc: readText(payload.bytes, 23, SELF_ID_LENGTH) };
}

/** OPEN_DRONE_ID_SYSTEM. */
export function readSystem(payload: Fields): OdidSystem {
  const latE7 = payload.view.getInt32(0, true);
  const lonE7 = payload.view.getInt32(4, true);
  const ceiling = readAltitudeM(payload.view.getFloat32(8, true));
  const floor = readAltitudeM(payload.view.getFloat32(12, true));
  const altGeo = readAltitudeM(payload.view.getFloat32(16, true));
  const possible = isPossiblePosition(latE7, lonE7);
  const placed = possible && !isUnknownPosition(latE7, lonE7);
  return {
    type: 'system',
    operatorLocationType: payload.view.getUint8(50),
    classificationType: payload.view.getUint8(51),
    operatorLatDeg: placed ? latE7 / 1e7 : null,
    operatorLonDeg: placed ? lonE7 / 1e7 : null,
    areaCount: payload.view.getUint16(24, true),
    areaRadiusM: payload.view.getUint16(26, true),
    areaCeilingM: allowed(ceiling),
    areaFloorM: allowed(floor),
    categoryEu: payload.view.getUint8(52),
    classEu: payload.view.getUint8(53),
    operatorAltGeoM: allowed(altGeo),
    timestampUnixS: systemTimeUnixS(payload.view.getUint32(20, true)),
    implausible: !possible || isImpossible(ceiling) || isImpossible(floor) || isImpossible(altGeo),
  };
}

/** OPEN_DRONE_ID_SYSTEM_UPDATE. */
export function readSystemUpdate(payload: Fields): OdidSystemUpdate {
  const latE7 = payload.view.getInt32(0, true);
  const lonE7 = payload.view.getInt32(4, true);
  const altGeo = readAltitudeM(payload.view.getFloat32(8, true));
  const possible = isPossiblePosition(latE7, lonE7);
  const placed = possible && !isUnknownPosition(latE7, lonE7);
  return {
    type: 'system_update',
    operatorLatDeg: placed ? latE7 / 1e7 : null,
    operatorLonDeg: placed ? lonE7 / 1e7 : null,
    operatorAltGeoM: allowed(altGeo),
    timestampUnixS: systemTimeUnixS(payload.view.getUint32(12, true)),
    implausible: !possible || isImpossible(altGeo),
  };
}

/** OPEN_DRONE_ID_OPERATOR_ID. */
export function readOperatorId(payload: Fields): OdidMessage {
  return {
    type: 'operator_id',
    operatorIdType: payload.view.getUint8(22),
    operatorId: readText(payload.bytes, 23, OPERATOR_ID_LENGTH),
  };
}

/** OPEN_DRONE_ID_ARM_STATUS. */
export function readArmStatus(payload: Fields): OdidMessage {
  return { type: 'arm_status', status: payload.view.getUint8(0), error: readText(payload.bytes, 1, ARM_ERROR_LENGTH) };
}

/** OPEN_DRONE_ID_MESSAGE_PACK: nine messages fit into its payload, whatever the header says. */
export function readPack(payload: Fields): OdidMessage[] | RejectReason {
  return decodePack(payload, 24, payload.view.getUint8(22), payload.view.getUint8(23));
}

/** Where `id_or_mac` stands in the payloads that have one. */
export const tagOffsets = { basicId: 2, location: 32, auth: 6, selfId: 2, system: 30, operatorId: 2, pack: 2 } as const;

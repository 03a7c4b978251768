import type { RejectReason } from '../../../model/link.ts';
import {
  ARM_ERROR_LENGTH,
  authFirstPage,
  authPage,
  OPERATOR_ID_LENGTH,
  SELF_ID_LENGTH,
  systemTimeUnixS,
} from '../odid/decode25.ts';
import type { Fields } from '../odid/fields.ts';
import type { OdidAuth, OdidLocation, OdidMessage, OdidSystem, OdidSystemUpdate } from '../odid/message.ts';
import { decodePack } from '../odid/pack.ts';
import {
  allowed,
  isImpossible,
  MAX_NIBBLE,
  readAltitudeM,
  readPosition,
  readSecondsAfterHour,
  readSpeedHMps,
  readSpeedVMps,
} from '../odid/ranges.ts';
import { readText, readUasId } from '../odid/text.ts';

/*
 * Readers of the OPEN_DRONE_ID_* payloads (common.xml). Each takes a payload that starts at byte 0 of the buffer and is
 * filled with zeros to its full length. Offsets follow the order on the wire, where larger fields come first.
 */

const UNKNOWN_DIRECTION_CDEG = 36_100;
const FULL_CIRCLE_CDEG = 36_000;

/** Reads OPEN_DRONE_ID_BASIC_ID. */
export function readBasicId({ bytes, view }: Fields): OdidMessage {
  const idType = view.getUint8(22);
  return { type: 'basic_id', idType, uaType: view.getUint8(23), uasId: readUasId(bytes, 24, idType) };
}

/** Reads OPEN_DRONE_ID_LOCATION. */
export function readLocation(payload: Fields): OdidLocation {
  const { view } = payload;
  const { latDeg, lonDeg, isPossible } = readPosition(payload, 0);
  const altBaro = readAltitudeM(view.getFloat32(8, true));
  const altGeo = readAltitudeM(view.getFloat32(12, true));
  const height = readAltitudeM(view.getFloat32(16, true));
  const seconds = readSecondsAfterHour(view.getFloat32(20, true));
  const direction = readDirectionDeg(view.getUint16(24, true));
  const speedH = readSpeedHMps(view.getUint16(26, true) / 100);
  const speedV = readSpeedVMps(view.getInt16(28, true) / 100);
  return {
    type: 'location',
    status: view.getUint8(52),
    latDeg,
    lonDeg,
    directionDeg: allowed(direction),
    speedHMps: allowed(speedH),
    speedVMps: allowed(speedV),
    altBaroM: allowed(altBaro),
    altGeoM: allowed(altGeo),
    heightM: allowed(height),
    heightRef: view.getUint8(53),
    hAcc: view.getUint8(54),
    vAcc: view.getUint8(55),
    baroAcc: view.getUint8(56),
    speedAcc: view.getUint8(57),
    tsAcc: view.getUint8(58),
    secondsAfterHour: allowed(seconds),
    implausible:
      !isPossible ||
      isImpossible(direction) ||
      isImpossible(speedH) ||
      isImpossible(speedV) ||
      isImpossible(altBaro) ||
      isImpossible(altGeo) ||
      isImpossible(height) ||
      isImpossible(seconds) ||
      hasImpossibleEnum(view),
  };
}

/**
 * Converts centidegrees to degrees. A full circle becomes 0, as in the reference implementation of Open Drone ID. Null
 * for unknown, NaN for invalid values.
 */
function readDirectionDeg(centidegrees: number): number | null {
  if (centidegrees < FULL_CIRCLE_CDEG) return centidegrees / 100;
  if (centidegrees === FULL_CIRCLE_CDEG) return 0;
  return centidegrees === UNKNOWN_DIRECTION_CDEG ? null : Number.NaN;
}

/**
 * True if status, accuracy or height reference is too large. A broadcast has four bits for status and accuracies
 * and one for the height reference, so it cannot contain such values.
 */
function hasImpossibleEnum(view: DataView): boolean {
  if (view.getUint8(52) > MAX_NIBBLE || view.getUint8(53) > 1) return true;
  for (let at = 54; at <= 58; at++) if (view.getUint8(at) > MAX_NIBBLE) return true;
  return false;
}

/** Reads OPEN_DRONE_ID_AUTHENTICATION; `implausible` for a page number above 15, the limit of the standard. */
export function readAuth({ bytes, view }: Fields): OdidAuth | RejectReason {
  const authType = view.getUint8(26);
  const page = view.getUint8(27);
  const lastPage = view.getUint8(28);
  if (page > MAX_NIBBLE || lastPage > MAX_NIBBLE) return 'implausible';
  if (page > 0) return authPage(authType, page, bytes, 30);
  return authFirstPage(authType, lastPage, view.getUint8(29), view.getUint32(0, true), bytes, 30);
}

/** Reads OPEN_DRONE_ID_SELF_ID. */
export function readSelfId({ bytes, view }: Fields): OdidMessage {
  return { type: 'self_id', descType: view.getUint8(22), desc: readText(bytes, 23, SELF_ID_LENGTH) };
}

/** Reads OPEN_DRONE_ID_SYSTEM. */
export function readSystem(payload: Fields): OdidSystem {
  const { view } = payload;
  const { latDeg, lonDeg, isPossible } = readPosition(payload, 0);
  const ceiling = readAltitudeM(view.getFloat32(8, true));
  const floor = readAltitudeM(view.getFloat32(12, true));
  const altGeo = readAltitudeM(view.getFloat32(16, true));
  return {
    type: 'system',
    operatorLocationType: view.getUint8(50),
    classificationType: view.getUint8(51),
    operatorLatDeg: latDeg,
    operatorLonDeg: lonDeg,
    areaCount: view.getUint16(24, true),
    areaRadiusM: view.getUint16(26, true),
    areaCeilingM: allowed(ceiling),
    areaFloorM: allowed(floor),
    categoryEu: view.getUint8(52),
    classEu: view.getUint8(53),
    operatorAltGeoM: allowed(altGeo),
    timestampUnixS: systemTimeUnixS(view.getUint32(20, true)),
    implausible: !isPossible || isImpossible(ceiling) || isImpossible(floor) || isImpossible(altGeo),
  };
}

/** Reads OPEN_DRONE_ID_SYSTEM_UPDATE. */
export function readSystemUpdate(payload: Fields): OdidSystemUpdate {
  const { view } = payload;
  const { latDeg, lonDeg, isPossible } = readPosition(payload, 0);
  const altGeo = readAltitudeM(view.getFloat32(8, true));
  return {
    type: 'system_update',
    operatorLatDeg: latDeg,
    operatorLonDeg: lonDeg,
    operatorAltGeoM: allowed(altGeo),
    timestampUnixS: systemTimeUnixS(view.getUint32(12, true)),
    implausible: !isPossible || isImpossible(altGeo),
  };
}

/** Reads OPEN_DRONE_ID_OPERATOR_ID. */
export function readOperatorId({ bytes, view }: Fields): OdidMessage {
  return {
    type: 'operator_id',
    operatorIdType: view.getUint8(22),
    operatorId: readText(bytes, 23, OPERATOR_ID_LENGTH),
  };
}

/** Reads OPEN_DRONE_ID_ARM_STATUS. */
export function readArmStatus({ bytes, view }: Fields): OdidMessage {
  return { type: 'arm_status', status: view.getUint8(0), error: readText(bytes, 1, ARM_ERROR_LENGTH) };
}

/**
 * Reads OPEN_DRONE_ID_MESSAGE_PACK, whose payload has room for nine messages. A pack that announces more is refused.
 */
export function readPack(payload: Fields): OdidMessage[] | RejectReason {
  return decodePack(payload, 24, payload.view.getUint8(22), payload.view.getUint8(23));
}

/** Offsets of `id_or_mac` in the payloads that have one. */
export const tagOffsets = { basicId: 2, location: 32, auth: 6, selfId: 2, system: 30, operatorId: 2, pack: 2 } as const;

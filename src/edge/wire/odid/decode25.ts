import type { RejectReason } from '../../../model/link.ts';
import { REMOTE_ID_EPOCH_S } from '../../../model/units.ts';
import type { Fields } from './fields.ts';
import type { OdidAuth, OdidLocation, OdidMessage, OdidSystem } from './message.ts';
import {
  allowed,
  isImpossible,
  MAX_NIBBLE,
  readAltitudeM,
  readPosition,
  readSpeedHMps,
  UNKNOWN_DIRECTION_DEG,
  UNKNOWN_SECONDS,
  UNKNOWN_SPEED_V_MPS,
} from './ranges.ts';
import { readText, readUasId } from './text.ts';

/** Size of every F3411 message except the pack, bytes. */
export const MESSAGE_SIZE = 25;

/** Message types: the high four bits of byte 0. */
export const messageTypes = {
  basicId: 0,
  location: 1,
  auth: 2,
  selfId: 3,
  system: 4,
  operatorId: 5,
  pack: 15,
} as const;

/** Data bytes of an authentication message. Page 0 has fewer, because it also contains the length and the time. */
export const AUTH_FIRST_PAGE_SIZE = 17;
export const AUTH_PAGE_SIZE = 23;

/** Lengths of the self-id text, of the operator id, and of MAVLink's reason not to arm, bytes. */
export const SELF_ID_LENGTH = 23;
export const OPERATOR_ID_LENGTH = 20;
export const ARM_ERROR_LENGTH = 50;

/**
 * Decodes one bare message of 25 bytes at `at` (ASTM F3411-22a section 5.4.5), or returns the reason why it cannot be
 * read. `unknown_type`: a reserved type. `malformed`: a pack instead of a single message. `implausible`: an
 * authentication message with a last page above 15. The protocol version is ignored, as by receivers in the field,
 * because versions 0 to 2 share this layout.
 */
export function decodeMessage25(fields: Fields, at: number): OdidMessage | RejectReason {
  const { bytes, view } = fields;
  const first = view.getUint8(at + 1);
  switch (view.getUint8(at) >> 4) {
    case messageTypes.basicId: {
      const idType = first >> 4;
      return { type: 'basic_id', idType, uaType: first & 15, uasId: readUasId(bytes, at + 2, idType) };
    }
    case messageTypes.location:
      return decodeLocation(fields, at);
    case messageTypes.auth:
      return decodeAuth(fields, at);
    case messageTypes.selfId:
      return { type: 'self_id', descType: first, desc: readText(bytes, at + 2, SELF_ID_LENGTH) };
    case messageTypes.system:
      return decodeSystem(fields, at);
    case messageTypes.operatorId:
      return { type: 'operator_id', operatorIdType: first, operatorId: readText(bytes, at + 2, OPERATOR_ID_LENGTH) };
    case messageTypes.pack:
      return 'malformed';
    default:
      return 'unknown_type';
  }
}

/**
 * Decodes a location. The vertical speed and the time may exceed the limits of the standard (62 m/s and 3,600 s) by one
 * step, if the sender rounds. They are therefore kept as sent, without a check.
 */
function decodeLocation(fields: Fields, at: number): OdidLocation {
  const { view } = fields;
  const flags = view.getUint8(at + 1);
  const direction = view.getUint8(at + 2) + (flags & 2 ? 180 : 0);
  const speedH = readSpeedHMps(decodeSpeedH(view.getUint8(at + 3), (flags & 1) === 1));
  const speedV = view.getInt8(at + 4) / 2;
  const { latDeg, lonDeg, isPossible } = readPosition(fields, at + 5);
  const positionAccuracy = view.getUint8(at + 19);
  const otherAccuracy = view.getUint8(at + 20);
  const tenths = view.getUint16(at + 21, true);
  return {
    type: 'location',
    status: flags >> 4,
    latDeg,
    lonDeg,
    directionDeg: direction < 360 ? direction : null,
    speedHMps: allowed(speedH),
    speedVMps: speedV === UNKNOWN_SPEED_V_MPS ? null : speedV,
    altBaroM: decodeAltitude(view, at + 13),
    altGeoM: decodeAltitude(view, at + 15),
    heightM: decodeAltitude(view, at + 17),
    heightRef: (flags >> 2) & 1,
    hAcc: positionAccuracy & 15,
    vAcc: positionAccuracy >> 4,
    baroAcc: otherAccuracy >> 4,
    speedAcc: otherAccuracy & 15,
    tsAcc: view.getUint8(at + 23) & 15,
    secondsAfterHour: tenths === UNKNOWN_SECONDS ? null : tenths / 10,
    implausible: !isPossible || direction > UNKNOWN_DIRECTION_DEG || isImpossible(speedH),
  };
}

/**
 * Decodes a horizontal speed, m/s: steps of 0.25 without the multiplier, steps of 0.75 above 63.75 with it. 255 with
 * the multiplier means unknown.
 */
function decodeSpeedH(encoded: number, multiplied: boolean): number {
  if (!multiplied) return encoded * 0.25;
  return encoded === 255 ? 255 : 63.75 + encoded * 0.75;
}

const decodeAltitude = (view: DataView, at: number): number | null =>
  readAltitudeM(view.getUint16(at, true) / 2 - 1000);

function decodeAuth({ bytes, view }: Fields, at: number): OdidAuth | RejectReason {
  const first = view.getUint8(at + 1);
  const page = first & 15;
  if (page > 0) return authPage(first >> 4, page, bytes, at + 2);
  const lastPage = view.getUint8(at + 2);
  if (lastPage > MAX_NIBBLE) return 'implausible';
  return authFirstPage(first >> 4, lastPage, view.getUint8(at + 3), view.getUint32(at + 4, true), bytes, at + 8);
}

export function authFirstPage(
  authType: number,
  lastPage: number,
  length: number,
  secondsSince2019: number,
  bytes: Buffer,
  dataAt: number,
): OdidAuth {
  const data = new Uint8Array(bytes.subarray(dataAt, dataAt + AUTH_FIRST_PAGE_SIZE));
  const timestampUnixS = secondsSince2019 + REMOTE_ID_EPOCH_S;
  return { type: 'auth', authType, page: 0, data, lastPage, length, timestampUnixS };
}

export function authPage(authType: number, page: number, bytes: Buffer, dataAt: number): OdidAuth {
  const data = new Uint8Array(bytes.subarray(dataAt, dataAt + AUTH_PAGE_SIZE));
  return { type: 'auth', authType, page, data, lastPage: null, length: null, timestampUnixS: null };
}

function decodeSystem(fields: Fields, at: number): OdidSystem {
  const { view } = fields;
  const flags = view.getUint8(at + 1);
  const { latDeg, lonDeg, isPossible } = readPosition(fields, at + 2);
  const classes = view.getUint8(at + 17);
  return {
    type: 'system',
    operatorLocationType: flags & 3,
    classificationType: (flags >> 2) & 7,
    operatorLatDeg: latDeg,
    operatorLonDeg: lonDeg,
    areaCount: view.getUint16(at + 10, true),
    areaRadiusM: view.getUint8(at + 12) * 10,
    areaCeilingM: decodeAltitude(view, at + 13),
    areaFloorM: decodeAltitude(view, at + 15),
    categoryEu: classes >> 4,
    classEu: classes & 15,
    operatorAltGeoM: decodeAltitude(view, at + 18),
    timestampUnixS: systemTimeUnixS(view.getUint32(at + 20, true)),
    implausible: !isPossible,
  };
}

/**
 * Converts the time of a system message to Unix time, s; null for zero. Protocol versions 0 and 1 had no such time,
 * so zero means unknown, not the start of 2019.
 */
export function systemTimeUnixS(secondsSince2019: number): number | null {
  return secondsSince2019 === 0 ? null : secondsSince2019 + REMOTE_ID_EPOCH_S;
}

import type { RejectReason } from '../../../model/link.ts';
import type { MavlinkGlobalPosition, MavlinkHeartbeat, MavlinkMessage, OdidReport } from '../message.ts';
import type { Fields } from '../odid/fields.ts';
import type { OdidMessage } from '../odid/message.ts';
import { isPossiblePosition, isUnknownPosition } from '../odid/ranges.ts';
import type { FrameView } from './frame.ts';
import { messageIds } from './known.ts';
import {
  readArmStatus,
  readAuth,
  readBasicId,
  readLocation,
  readOperatorId,
  readPack,
  readSelfId,
  readSystem,
  readSystemUpdate,
  tagOffsets,
} from './read_odid.ts';
import { readTag } from './tag.ts';

const UNKNOWN_HEADING_CDEG = 65_535;

/**
 * The message of a good frame, or why its content is refused. `payload` holds the frame's payload filled with zeros to the
 * message's full length, and is only borrowed.
 */
export function readMessage(view: FrameView, signed: boolean, payload: Fields): MavlinkMessage | RejectReason {
  switch (view.known.msgid) {
    case messageIds.heartbeat:
      return readHeartbeat(view, signed, payload);
    case messageIds.globalPositionInt:
      return readGlobalPosition(view, signed, payload);
    case messageIds.odidBasicId:
      return report(view, signed, payload, tagOffsets.basicId, [readBasicId(payload)]);
    case messageIds.odidLocation:
      return report(view, signed, payload, tagOffsets.location, [readLocation(payload)]);
    case messageIds.odidAuthentication:
      return reportOrRefuse(view, signed, payload, tagOffsets.auth, readAuth(payload));
    case messageIds.odidSelfId:
      return report(view, signed, payload, tagOffsets.selfId, [readSelfId(payload)]);
    case messageIds.odidSystem:
      return report(view, signed, payload, tagOffsets.system, [readSystem(payload)]);
    case messageIds.odidOperatorId:
      return report(view, signed, payload, tagOffsets.operatorId, [readOperatorId(payload)]);
    case messageIds.odidMessagePack:
      return reportOrRefuse(view, signed, payload, tagOffsets.pack, readPack(payload));
    case messageIds.odidArmStatus:
      return report(view, signed, payload, null, [readArmStatus(payload)]);
    case messageIds.odidSystemUpdate:
      return report(view, signed, payload, null, [readSystemUpdate(payload)]);
    default:
      return readOther(view, signed, payload);
  }
}

/** `tagAt` is null for the two messages that are never about another aircraft and so have no `id_or_mac`. */
function report(
  { sysid, compid, seq, known }: FrameView,
  signed: boolean,
  payload: Fields,
  tagAt: number | null,
  messages: OdidMessage[],
): OdidReport {
  const tag = tagAt === null ? null : readTag(payload.bytes, tagAt);
  return { kind: 'odid', sysid, compid, seq, signed, tag, pack: known.msgid === messageIds.odidMessagePack, messages };
}

function reportOrRefuse(
  view: FrameView,
  signed: boolean,
  payload: Fields,
  tagAt: number,
  content: OdidMessage | OdidMessage[] | RejectReason,
): OdidReport | RejectReason {
  if (typeof content === 'string') return content;
  return report(view, signed, payload, tagAt, Array.isArray(content) ? content : [content]);
}

function readHeartbeat({ sysid, compid, seq }: FrameView, signed: boolean, payload: Fields): MavlinkHeartbeat {
  return {
    kind: 'heartbeat',
    sysid,
    compid,
    seq,
    signed,
    type: payload.view.getUint8(4),
    autopilot: payload.view.getUint8(5),
    baseMode: payload.view.getUint8(6),
    customMode: payload.view.getUint32(0, true),
    systemStatus: payload.view.getUint8(7),
    mavlinkVersion: payload.view.getUint8(8),
  };
}

/** Vehicles without a fix send zeros for both coordinates; the message has no other sentinel for them. */
function readGlobalPosition(
  { sysid, compid, seq }: FrameView,
  signed: boolean,
  payload: Fields,
): MavlinkGlobalPosition {
  const latE7 = payload.view.getInt32(4, true);
  const lonE7 = payload.view.getInt32(8, true);
  const headingCdeg = payload.view.getUint16(26, true);
  const placed = isPossiblePosition(latE7, lonE7) && !isUnknownPosition(latE7, lonE7);
  return {
    kind: 'global_position',
    sysid,
    compid,
    seq,
    signed,
    timeBootMs: payload.view.getUint32(0, true),
    latDeg: placed ? latE7 / 1e7 : null,
    lonDeg: placed ? lonE7 / 1e7 : null,
    altMslM: payload.view.getInt32(12, true) / 1000,
    relativeAltM: payload.view.getInt32(16, true) / 1000,
    vNorthMps: payload.view.getInt16(20, true) / 100,
    vEastMps: payload.view.getInt16(22, true) / 100,
    vDownMps: payload.view.getInt16(24, true) / 100,
    headingDeg: readHeadingDeg(headingCdeg),
  };
}

function readHeadingDeg(centidegrees: number): number | null {
  if (centidegrees === UNKNOWN_HEADING_CDEG || centidegrees > 36_000) return null;
  return centidegrees === 36_000 ? 0 : centidegrees / 100;
}

function readOther({ sysid, compid, seq, known }: FrameView, signed: boolean, payload: Fields): MavlinkMessage {
  const { msgid, name, maxLength } = known;
  return {
    kind: 'mavlink',
    sysid,
    compid,
    seq,
    signed,
    msgid,
    name,
    payload: new Uint8Array(payload.bytes.subarray(0, maxLength)),
  };
}

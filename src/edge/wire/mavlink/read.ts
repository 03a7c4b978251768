import type { RejectReason } from '../../../model/link.ts';
import type { MavlinkGlobalPosition, MavlinkHeartbeat, MavlinkMessage, OdidReport } from '../message.ts';
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
export function readMessage(view: FrameView, signed: boolean, payload: Buffer): MavlinkMessage | RejectReason {
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
  payload: Buffer,
  tagAt: number | null,
  messages: OdidMessage[],
): OdidReport {
  const tag = tagAt === null ? null : readTag(payload, tagAt);
  return { kind: 'odid', sysid, compid, seq, signed, tag, pack: known.msgid === messageIds.odidMessagePack, messages };
}

function reportOrRefuse(
  view: FrameView,
  signed: boolean,
  payload: Buffer,
  tagAt: number,
  content: OdidMessage | OdidMessage[] | RejectReason,
): OdidReport | RejectReason {
  if (typeof content === 'string') return content;
  return report(view, signed, payload, tagAt, Array.isArray(content) ? content : [content]);
}

function readHeartbeat({ sysid, compid, seq }: FrameView, signed: boolean, payload: Buffer): MavlinkHeartbeat {
  return {
    kind: 'heartbeat',
    sysid,
    compid,
    seq,
    signed,
    type: payload[4] as number,
    autopilot: payload[5] as number,
    baseMode: payload[6] as number,
    customMode: payload.readUInt32LE(0),
    systemStatus: payload[7] as number,
    mavlinkVersion: payload[8] as number,
  };
}

/** Vehicles without a fix send zeros for both coordinates; the message has no other sentinel for them. */
function readGlobalPosition(
  { sysid, compid, seq }: FrameView,
  signed: boolean,
  payload: Buffer,
): MavlinkGlobalPosition {
  const latE7 = payload.readInt32LE(4);
  const lonE7 = payload.readInt32LE(8);
  const headingCdeg = payload.readUInt16LE(26);
  const placed = isPossiblePosition(latE7, lonE7) && !isUnknownPosition(latE7, lonE7);
  return {
    kind: 'global_position',
    sysid,
    compid,
    seq,
    signed,
    timeBootMs: payload.readUInt32LE(0),
    latDeg: placed ? latE7 / 1e7 : null,
    lonDeg: placed ? lonE7 / 1e7 : null,
    altMslM: payload.readInt32LE(12) / 1000,
    relativeAltM: payload.readInt32LE(16) / 1000,
    vNorthMps: payload.readInt16LE(20) / 100,
    vEastMps: payload.readInt16LE(22) / 100,
    vDownMps: payload.readInt16LE(24) / 100,
    headingDeg: readHeadingDeg(headingCdeg),
  };
}

function readHeadingDeg(centidegrees: number): number | null {
  if (centidegrees === UNKNOWN_HEADING_CDEG || centidegrees > 36_000) return null;
  return centidegrees === 36_000 ? 0 : centidegrees / 100;
}

function readOther({ sysid, compid, seq, known }: FrameView, signed: boolean, payload: Buffer): MavlinkMessage {
  const { msgid, name, maxLength } = known;
  return {
    kind: 'mavlink',
    sysid,
    compid,
    seq,
    signed,
    msgid,
    name,
    payload: Uint8Array.prototype.slice.call(payload, 0, maxLength),
  };
}

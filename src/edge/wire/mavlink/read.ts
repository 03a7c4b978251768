import type { RejectReason } from '../../../model/link.ts';
import type { MavlinkGlobalPosition, MavlinkHeartbeat, MavlinkMessage, OdidReport } from '../message.ts';
import type { Fields } from '../odid/fields.ts';
import type { OdidMessage } from '../odid/message.ts';
import { readPosition } from '../odid/ranges.ts';
import type { FrameView } from './frame.ts';
import { messageIds } from './known.ts';
import * as odid from './read_odid.ts';
import { readTag } from './tag.ts';

const UNKNOWN_HEADING_CDEG = 65_535;

/**
 * Reads the message of a good frame, or returns the reason to refuse its content. `payload` has the frame's payload,
 * extended with zeros to the message's full length. It is valid only during the call.
 */
export function readMessage(view: FrameView, signed: boolean, payload: Fields): MavlinkMessage | RejectReason {
  switch (view.known.msgid) {
    case messageIds.heartbeat:
      return readHeartbeat(view, signed, payload);
    case messageIds.globalPositionInt:
      return readGlobalPosition(view, signed, payload);
    case messageIds.odidBasicId:
      return report(view, signed, payload, odid.tagOffsets.basicId, odid.readBasicId(payload));
    case messageIds.odidLocation:
      return report(view, signed, payload, odid.tagOffsets.location, odid.readLocation(payload));
    case messageIds.odidAuthentication:
      return report(view, signed, payload, odid.tagOffsets.auth, odid.readAuth(payload));
    case messageIds.odidSelfId:
      return report(view, signed, payload, odid.tagOffsets.selfId, odid.readSelfId(payload));
    case messageIds.odidSystem:
      return report(view, signed, payload, odid.tagOffsets.system, odid.readSystem(payload));
    case messageIds.odidOperatorId:
      return report(view, signed, payload, odid.tagOffsets.operatorId, odid.readOperatorId(payload));
    case messageIds.odidMessagePack:
      return report(view, signed, payload, odid.tagOffsets.pack, odid.readPack(payload));
    case messageIds.odidArmStatus:
      return report(view, signed, payload, null, odid.readArmStatus(payload));
    case messageIds.odidSystemUpdate:
      return report(view, signed, payload, null, odid.readSystemUpdate(payload));
    default:
      return readOther(view, signed, payload);
  }
}

/**
 * Builds the report of an Open Drone ID message. `tagAt` is the offset of `id_or_mac`, which may name another aircraft.
 * It is null for the two messages without this field; they are always about their sender.
 */
function report(
  { sysid, compid, seq, known }: FrameView,
  signed: boolean,
  payload: Fields,
  tagAt: number | null,
  content: OdidMessage | OdidMessage[] | RejectReason,
): OdidReport | RejectReason {
  if (typeof content === 'string') return content;
  const tag = tagAt === null ? null : readTag(payload.bytes, tagAt);
  const pack = known.msgid === messageIds.odidMessagePack;
  return {
    kind: 'odid',
    sysid,
    compid,
    seq,
    signed,
    tag,
    pack,
    messages: Array.isArray(content) ? content : [content],
  };
}

function readHeartbeat({ sysid, compid, seq }: FrameView, signed: boolean, { view }: Fields): MavlinkHeartbeat {
  return {
    kind: 'heartbeat',
    sysid,
    compid,
    seq,
    signed,
    type: view.getUint8(4),
    autopilot: view.getUint8(5),
    baseMode: view.getUint8(6),
    customMode: view.getUint32(0, true),
    systemStatus: view.getUint8(7),
    mavlinkVersion: view.getUint8(8),
  };
}

/**
 * Reads GLOBAL_POSITION_INT. Both coordinates zero mean that the vehicle has no fix; the message has no other value
 * for this.
 */
function readGlobalPosition(
  { sysid, compid, seq }: FrameView,
  signed: boolean,
  payload: Fields,
): MavlinkGlobalPosition {
  const { view } = payload;
  const { latDeg, lonDeg } = readPosition(payload, 4);
  return {
    kind: 'global_position',
    sysid,
    compid,
    seq,
    signed,
    timeBootMs: view.getUint32(0, true),
    latDeg,
    lonDeg,
    altMslM: view.getInt32(12, true) / 1000,
    relativeAltM: view.getInt32(16, true) / 1000,
    vNorthMps: view.getInt16(20, true) / 100,
    vEastMps: view.getInt16(22, true) / 100,
    vDownMps: view.getInt16(24, true) / 100,
    headingDeg: readHeadingDeg(view.getUint16(26, true)),
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

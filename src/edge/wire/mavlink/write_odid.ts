import { MESSAGE_SIZE, OPERATOR_ID_LENGTH, SELF_ID_LENGTH } from '../odid/decode25.ts';
import { type BroadcastMessage, secondsSince2019, writeMessage25, writePosition } from '../odid/encode25.ts';
import type {
  OdidAuth,
  OdidBasicId,
  OdidLocation,
  OdidMessage,
  OdidSystem,
  OdidSystemUpdate,
  OdidTag,
} from '../odid/message.ts';
import { MAX_PACK_MESSAGES } from '../odid/pack.ts';
import { UNKNOWN_ALTITUDE_M, UNKNOWN_SECONDS } from '../odid/ranges.ts';
import { writeText, writeUasId } from '../odid/text.ts';
import { messageIds } from './known.ts';
import { tagOffsets } from './read_odid.ts';
import { writeTag } from './tag.ts';
import { emptyPayload, type Payload } from './write.ts';

/**
 * The payload of one Open Drone ID message, with the resolution of MAVLink (degE7, centimetres a second, centidegrees,
 * 32-bit floats). Null becomes the field's sentinel; the tag is left out where the message has none.
 */
export function writeOdid(tag: OdidTag, message: OdidMessage): Payload {
  switch (message.type) {
    case 'basic_id':
      return writeBasicId(tag, message);
    case 'location':
      return writeLocation(tag, message);
    case 'auth':
      return writeAuth(tag, message);
    case 'self_id': {
      const written = tagged(messageIds.odidSelfId, tagOffsets.selfId, tag);
      written.payload[22] = message.descType;
      writeText(written.payload, 23, SELF_ID_LENGTH, message.desc);
      return written;
    }
    case 'system':
      return writeSystem(tag, message);
    case 'system_update':
      return writeSystemUpdate(message);
    case 'operator_id': {
      const written = tagged(messageIds.odidOperatorId, tagOffsets.operatorId, tag);
      written.payload[22] = message.operatorIdType;
      writeText(written.payload, 23, OPERATOR_ID_LENGTH, message.operatorId);
      return written;
    }
    case 'arm_status': {
      const written = emptyPayload(messageIds.odidArmStatus);
      written.payload[0] = message.status;
      writeText(written.payload, 1, written.payload.length - 1, message.error);
      return written;
    }
  }
}

/** OPEN_DRONE_ID_MESSAGE_PACK of 1 to 9 messages, each quantised as on air. */
export function writeOdidPack(tag: OdidTag, messages: readonly BroadcastMessage[]): Payload {
  if (messages.length === 0 || messages.length > MAX_PACK_MESSAGES) {
    throw new RangeError(`a pack holds 1 to ${MAX_PACK_MESSAGES} messages, not ${messages.length}`);
  }
  const written = tagged(messageIds.odidMessagePack, tagOffsets.pack, tag);
  written.payload[22] = MESSAGE_SIZE;
  written.payload[23] = messages.length;
  messages.forEach((message, i) => {
    writeMessage25(written.payload, 24 + i * MESSAGE_SIZE, message);
  });
  return written;
}

function tagged(msgid: number, tagAt: number, tag: OdidTag): Payload {
  const written = emptyPayload(msgid);
  writeTag(written.payload, tagAt, tag);
  return written;
}

function writeBasicId(tag: OdidTag, { idType, uaType, uasId }: OdidBasicId): Payload {
  const written = tagged(messageIds.odidBasicId, tagOffsets.basicId, tag);
  written.payload[22] = idType;
  written.payload[23] = uaType;
  writeUasId(written.payload, 24, idType, uasId);
  return written;
}

function writeLocation(tag: OdidTag, location: OdidLocation): Payload {
  const written = tagged(messageIds.odidLocation, tagOffsets.location, tag);
  const { payload } = written;
  writePosition(payload, 0, location.latDeg, location.lonDeg);
  payload.writeFloatLE(location.altBaroM ?? UNKNOWN_ALTITUDE_M, 8);
  payload.writeFloatLE(location.altGeoM ?? UNKNOWN_ALTITUDE_M, 12);
  payload.writeFloatLE(location.heightM ?? UNKNOWN_ALTITUDE_M, 16);
  payload.writeFloatLE(location.secondsAfterHour ?? UNKNOWN_SECONDS, 20);
  payload.writeUInt16LE(scaled(location.directionDeg, 361), 24);
  payload.writeUInt16LE(scaled(location.speedHMps, 255), 26);
  payload.writeInt16LE(scaled(location.speedVMps, 63), 28);
  const { status, heightRef, hAcc, vAcc, baroAcc, speedAcc, tsAcc } = location;
  payload.set([status, heightRef, hAcc, vAcc, baroAcc, speedAcc, tsAcc], 52);
  return written;
}

const scaled = (value: number | null, unknown: number): number => Math.round((value ?? unknown) * 100);

function writeAuth(tag: OdidTag, auth: OdidAuth): Payload {
  const written = tagged(messageIds.odidAuthentication, tagOffsets.auth, tag);
  const { payload } = written;
  payload.writeUInt32LE(auth.page === 0 ? secondsSince2019(auth.timestampUnixS) : 0, 0);
  payload.set([auth.authType, auth.page, auth.lastPage ?? 0, auth.length ?? 0], 26);
  payload.set(auth.data, 30);
  return written;
}

function writeSystem(tag: OdidTag, system: OdidSystem): Payload {
  const written = tagged(messageIds.odidSystem, tagOffsets.system, tag);
  const { payload } = written;
  writePosition(payload, 0, system.operatorLatDeg, system.operatorLonDeg);
  payload.writeFloatLE(system.areaCeilingM ?? UNKNOWN_ALTITUDE_M, 8);
  payload.writeFloatLE(system.areaFloorM ?? UNKNOWN_ALTITUDE_M, 12);
  payload.writeFloatLE(system.operatorAltGeoM ?? UNKNOWN_ALTITUDE_M, 16);
  payload.writeUInt32LE(secondsSince2019(system.timestampUnixS), 20);
  payload.writeUInt16LE(system.areaCount, 24);
  payload.writeUInt16LE(system.areaRadiusM, 26);
  payload.set([system.operatorLocationType, system.classificationType, system.categoryEu, system.classEu], 50);
  return written;
}

function writeSystemUpdate(update: OdidSystemUpdate): Payload {
  const written = emptyPayload(messageIds.odidSystemUpdate);
  const { payload } = written;
  writePosition(payload, 0, update.operatorLatDeg, update.operatorLonDeg);
  payload.writeFloatLE(update.operatorAltGeoM ?? UNKNOWN_ALTITUDE_M, 8);
  payload.writeUInt32LE(secondsSince2019(update.timestampUnixS), 12);
  return written;
}

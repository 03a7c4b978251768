import * as common from 'mavlink-mappings/dist/lib/common.js';
import { REMOTE_ID_EPOCH_S } from '../../../model/units.ts';
import { ARM_ERROR_LENGTH, OPERATOR_ID_LENGTH, SELF_ID_LENGTH } from '../odid/decode25.ts';
import type { OdidBasicId, OdidLocation, OdidMessage, OdidSystem, OdidTag } from '../odid/message.ts';
import { UNKNOWN_ALTITUDE_M, UNKNOWN_SECONDS } from '../odid/ranges.ts';
import { UAS_ID_LENGTH, writeText, writeUasId } from '../odid/text.ts';
import { writeFields } from './message_fields.ts';
import { idOrMac } from './tag.ts';
import type { Payload } from './write.ts';

/**
 * Writes one Open Drone ID message with the resolution of MAVLink (degE7, cm/s, centidegrees, 32-bit floats). Null
 * becomes the value that means unknown. The tag is omitted in messages without `id_or_mac`.
 */
export function writeOdid(tag: OdidTag, message: OdidMessage): Payload {
  switch (message.type) {
    case 'basic_id':
      return writeBasicId(tag, message);
    case 'location':
      return writeLocation(tag, message);
    case 'auth':
      return writeFields(common.OpenDroneIdAuthentication, {
        ...{ idOrMac: idOrMac(tag), authenticationType: message.authType, dataPage: message.page },
        ...{ lastPageIndex: message.lastPage ?? 0, length: message.length ?? 0 },
        timestamp: message.page === 0 ? secondsSince2019(message.timestampUnixS) : 0,
        authenticationData: [...message.data],
      });
    case 'self_id': {
      const fields = { idOrMac: idOrMac(tag), descriptionType: message.descType };
      return withText(writeFields(common.OpenDroneIdSelfId, fields), 23, SELF_ID_LENGTH, message.desc);
    }
    case 'system':
      return writeSystem(tag, message);
    case 'system_update': {
      const [operatorLatitude, operatorLongitude] = degE7(message.operatorLatDeg, message.operatorLonDeg);
      return writeFields(common.OpenDroneIdSystemUpdate, {
        ...{ operatorLatitude, operatorLongitude, timestamp: secondsSince2019(message.timestampUnixS) },
        operatorAltitudeGeo: message.operatorAltGeoM ?? UNKNOWN_ALTITUDE_M,
      });
    }
    case 'operator_id': {
      const fields = { idOrMac: idOrMac(tag), operatorIdType: message.operatorIdType };
      return withText(writeFields(common.OpenDroneIdOperatorId, fields), 23, OPERATOR_ID_LENGTH, message.operatorId);
    }
    case 'arm_status': {
      const { status, error } = message;
      return withText(writeFields(common.OpenDroneIdArmStatus, { status }), 1, ARM_ERROR_LENGTH, error);
    }
  }
}

/** Writes a text as Latin-1, the encoding of Open Drone ID messages. Other MAVLink messages use UTF-8. */
function withText(written: Payload, at: number, length: number, text: string): Payload {
  writeText(written.payload, at, length, text);
  return written;
}

function writeBasicId(tag: OdidTag, { idType, uaType, uasId }: OdidBasicId): Payload {
  const id = Buffer.alloc(UAS_ID_LENGTH);
  writeUasId(id, 0, idType, uasId);
  return writeFields(common.OpenDroneIdBasicId, { idOrMac: idOrMac(tag), idType, uaType, uasId: [...id] });
}

function writeLocation(tag: OdidTag, location: OdidLocation): Payload {
  const [latitude, longitude] = degE7(location.latDeg, location.lonDeg);
  return writeFields(common.OpenDroneIdLocation, {
    latitude,
    longitude,
    altitudeBarometric: location.altBaroM ?? UNKNOWN_ALTITUDE_M,
    altitudeGeodetic: location.altGeoM ?? UNKNOWN_ALTITUDE_M,
    height: location.heightM ?? UNKNOWN_ALTITUDE_M,
    heightReference: location.heightRef,
    timestamp: location.secondsAfterHour ?? UNKNOWN_SECONDS,
    direction: hundredths(location.directionDeg, 361),
    speedHorizontal: hundredths(location.speedHMps, 255),
    speedVertical: hundredths(location.speedVMps, 63),
    idOrMac: idOrMac(tag),
    status: location.status,
    horizontalAccuracy: location.hAcc,
    verticalAccuracy: location.vAcc,
    barometerAccuracy: location.baroAcc,
    speedAccuracy: location.speedAcc,
    timestampAccuracy: location.tsAcc,
  });
}

const hundredths = (value: number | null, unknown: number): number => Math.round((value ?? unknown) * 100);

function writeSystem(tag: OdidTag, system: OdidSystem): Payload {
  const { areaCount, areaRadiusM: areaRadius, classificationType, operatorLocationType, categoryEu, classEu } = system;
  const [operatorLatitude, operatorLongitude] = degE7(system.operatorLatDeg, system.operatorLonDeg);
  return writeFields(common.OpenDroneIdSystem, {
    ...{ idOrMac: idOrMac(tag), operatorLatitude, operatorLongitude, operatorLocationType, classificationType },
    ...{ areaCount, areaRadius, categoryEu, classEu, timestamp: secondsSince2019(system.timestampUnixS) },
    areaCeiling: system.areaCeilingM ?? UNKNOWN_ALTITUDE_M,
    areaFloor: system.areaFloorM ?? UNKNOWN_ALTITUDE_M,
    operatorAltitudeGeo: system.operatorAltGeoM ?? UNKNOWN_ALTITUDE_M,
  });
}

/**
 * Converts a position to degE7, clamped to its range. If either coordinate is null, both results are zero, which means
 * unknown.
 */
export function degE7(latDeg: number | null, lonDeg: number | null): [number, number] {
  if (latDeg === null || lonDeg === null) return [0, 0];
  const e7 = (deg: number, most: number): number => Math.round(Math.max(-most, Math.min(most, deg)) * 1e7);
  return [e7(latDeg, 90), e7(lonDeg, 180)];
}

/** Returns whole seconds since 2019; 0 for null, which receivers read as unknown. */
export function secondsSince2019(unixS: number | null): number {
  return unixS === null ? 0 : Math.max(0, Math.min(0xffff_ffff, Math.round(unixS - REMOTE_ID_EPOCH_S)));
}

import type { RejectReason } from '../../../model/link.ts';
import type { DjiDroneId, DjiPurpose, WithoutSource } from './broadcast.ts';
import { otherPlaceOf, placeOf, printableText, unknownPlace, type WirePlace } from './places.ts';

const FLIGHT = 0x10;
const PURPOSE = 0x11;
/** Sub-command that faulty firmware sends without content. */
const EMPTY = 0x00;

/** Shortest content by version, bytes from the version byte on. */
const SHORTEST: Readonly<Record<number, number>> = { 1: 55, 2: 67 };
const UUID_BYTES = 20;
const SERIAL_BYTES = 16;
/** Placeholder that many aircraft send instead of their serial. */
const NO_SERIAL = 'SecureStorage?';

/** Bits of the state word, in the order of Kismet (dot11_ie_221_dji_droneid.h). */
const state = { serialValid: 0x01, motorsOn: 0x10, airborne: 0x20, gpsValid: 0x40 } as const;

/** Converts a raw angle, in radians × 10⁷, to degrees. */
function degreesAt(bytes: Buffer, at: number): number {
  return (bytes.readInt32LE(at) * 180) / (Math.PI * 1e7);
}

/**
 * Reads DJI DroneID from its sub-command on (element 221, OUI 26:37:12, type 58 62 13). Null for the sub-command 0x00,
 * which has no content. Returns a reason if the content is truncated, has an unknown sub-command or version, or has an
 * impossible position.
 */
export function readDji(content: Buffer): WithoutSource<DjiDroneId> | WithoutSource<DjiPurpose> | RejectReason | null {
  const [command] = content;
  if (command === undefined) return 'length';
  if (command === FLIGHT) return readFlight(content.subarray(1));
  if (command === PURPOSE) return readPurpose(content.subarray(1));
  return command === EMPTY ? null : 'unknown_type';
}

function readFlight(bytes: Buffer): WithoutSource<DjiDroneId> | RejectReason {
  const [version] = bytes;
  if (version === undefined) return 'length';
  const shortest = SHORTEST[version];
  if (shortest === undefined) return 'unknown_type';
  if (bytes.length < shortest) return 'length';
  const flags = bytes.readUInt16LE(3);
  const place = placeOf(degreesAt(bytes, 25), degreesAt(bytes, 21));
  if (place === 'implausible') return place;
  const app = version === 2 ? otherPlaceOf(degreesAt(bytes, 49), degreesAt(bytes, 53)) : unknownPlace;
  const home = homeOf(bytes, version);
  return {
    kind: 'dji_droneid',
    version,
    seq: bytes.readUInt16LE(1),
    serial: flags & state.serialValid ? serialAt(bytes, 5) : null,
    ...place,
    operatorLatDeg: app.latDeg,
    operatorLonDeg: app.lonDeg,
    homeLatDeg: home.latDeg,
    homeLonDeg: home.lonDeg,
    productType: bytes.readUInt8(shortest - 2),
    uuid: uuidAt(bytes, shortest - 1),
    airborne: (flags & state.airborne) !== 0,
    motorOn: (flags & state.motorsOn) !== 0,
    gpsValid: (flags & state.gpsValid) !== 0,
  };
}

/** Reads the home position. Both versions have longitude before latitude, at different offsets. */
function homeOf(bytes: Buffer, version: number): WirePlace {
  const at = version === 1 ? 45 : 57;
  return otherPlaceOf(degreesAt(bytes, at + 4), degreesAt(bytes, at));
}

function serialAt(bytes: Buffer, at: number): string | null {
  const serial = printableText(bytes, at, SERIAL_BYTES);
  return serial === NO_SERIAL ? null : serial;
}

function uuidAt(bytes: Buffer, at: number): string | null {
  const length = bytes.readUInt8(at);
  return length > UUID_BYTES ? null : printableText(bytes, at + 1, length);
}

const DRONE_ID_BYTES = 10;
const DRONE_ID_AT = SERIAL_BYTES + 1;
const PURPOSE_AT = DRONE_ID_AT + DRONE_ID_BYTES + 1;

function readPurpose(bytes: Buffer): WithoutSource<DjiPurpose> | RejectReason {
  if (bytes.length < PURPOSE_AT) return 'length';
  const idLength = Math.min(bytes.readUInt8(DRONE_ID_AT - 1), DRONE_ID_BYTES);
  return {
    kind: 'dji_purpose',
    serial: serialAt(bytes, 0),
    droneId: printableText(bytes, DRONE_ID_AT, idLength),
    purpose: printableText(bytes, PURPOSE_AT, bytes.readUInt8(PURPOSE_AT - 1)),
  };
}

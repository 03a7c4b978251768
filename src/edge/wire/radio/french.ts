import type { RejectReason } from '../../../model/link.ts';
import type { FrenchBeacon, WithoutSource } from './broadcast.ts';
import { otherPlaceOf, placeOf, printableText } from './places.ts';

const VERSION = 1;

/** Numbers of the field types. */
const types = {
  version: 1,
  frId: 2,
  ansiId: 3,
  lat: 4,
  lon: 5,
  altitude: 6,
  height: 7,
  homeLat: 8,
  homeLon: 9,
  speed: 10,
  course: 11,
} as const;

/**
 * Lengths of the fields with a fixed length, bytes. `isLengthOf` checks the serial (ANSI/CTA-2063-A), whose length
 * varies.
 */
const lengths: Readonly<Record<number, number>> = {
  [types.version]: 1,
  [types.frId]: 30,
  [types.lat]: 4,
  [types.lon]: 4,
  [types.altitude]: 2,
  [types.height]: 2,
  [types.homeLat]: 4,
  [types.homeLon]: 4,
  [types.speed]: 1,
  [types.course]: 2,
};
const LONGEST_ANSI_ID = 20;
const LOWEST_M = -1_000;

/** Fields of a beacon by their type. If a type occurs several times, the last one counts. */
type Fields = ReadonlyMap<number, Buffer>;

/**
 * Reads a French beacon from its first field on (element 221, OUI 6A:5C:35, type 1): fields of type, length and
 * value, big-endian, in any order. Unknown types are skipped.
 */
export function readFrench(content: Buffer): WithoutSource<FrenchBeacon> | RejectReason {
  const fields = fieldsIn(content);
  if (fields === null) return 'length';
  const version = fields.get(types.version)?.readUInt8(0) ?? null;
  if (version !== null && version !== VERSION) return 'unknown_type';
  const place = placeOf(degrees(fields, types.lat), degrees(fields, types.lon));
  if (place === 'implausible') return place;
  const home = otherPlaceOf(degrees(fields, types.homeLat), degrees(fields, types.homeLon));
  const course = fields.get(types.course)?.readUInt16BE(0) ?? null;
  return {
    kind: 'fr_beacon',
    version,
    frId: textOf(fields.get(types.frId)),
    ansiId: textOf(fields.get(types.ansiId)),
    ...(fields.has(types.lat) && fields.has(types.lon) ? place : { latDeg: null, lonDeg: null }),
    altMslM: altitudeOf(fields.get(types.altitude)),
    heightM: altitudeOf(fields.get(types.height)),
    ...(fields.has(types.homeLat) && fields.has(types.homeLon)
      ? { homeLatDeg: home.latDeg, homeLonDeg: home.lonDeg }
      : { homeLatDeg: null, homeLonDeg: null }),
    speedMps: fields.get(types.speed)?.readUInt8(0) ?? null,
    courseDeg: course === null || course > 360 ? null : course % 360,
  };
}

/** Splits a beacon into its fields. Null if a field is truncated, or a known field has a wrong length. */
function fieldsIn(content: Buffer): Fields | null {
  const fields = new Map<number, Buffer>();
  for (let at = 0; at < content.length; ) {
    const [type = 0, length] = content.subarray(at, at + 2);
    if (length === undefined || at + 2 + length > content.length) return null;
    if (!isLengthOf(type, length)) return null;
    fields.set(type, content.subarray(at + 2, at + 2 + length));
    at += 2 + length;
  }
  return fields;
}

function isLengthOf(type: number, length: number): boolean {
  if (type === types.ansiId) return length > 0 && length <= LONGEST_ANSI_ID;
  const known = lengths[type];
  return known === undefined || known === length;
}

function degrees(fields: Fields, type: number): number {
  return (fields.get(type)?.readInt32BE(0) ?? 0) / 1e5;
}

/** Returns a height in metres; null at or below −1,000 m, the lower limit of Remote ID. */
function altitudeOf(field: Buffer | undefined): number | null {
  const metres = field?.readInt16BE(0) ?? null;
  return metres === null || metres <= LOWEST_M ? null : metres;
}

function textOf(field: Buffer | undefined): string | null {
  return field === undefined ? null : printableText(field, 0, field.length);
}

import { MPS_PER_KNOT } from '../../../model/units.ts';
import type { NmeaFix } from '../message.ts';
import { type FieldFault, FieldReader } from '../text_fields.ts';
import { readAngle, readDop, readUtc } from './fields.ts';

type Fields = readonly string[];

/** Readers of the sentences that report a position. */
export const fixReaders: Readonly<Record<string, (fields: Fields) => NmeaFix | FieldFault>> = {
  RMC: readRmc,
  GGA: readGga,
  GNS: readGns,
};

/**
 * Modes with a measured position: autonomous, differential, precise, RTK fixed and float, estimated. Manual and simulated
 * positions are no fix.
 */
const fixModes = /[ADPRFE]/;

const noFix = {
  kind: 'nmea_fix',
  latDeg: null,
  lonDeg: null,
  altMslM: null,
  geoidSeparationM: null,
  speedMps: null,
  courseDeg: null,
  hdop: null,
  satellites: null,
  utcMs: null,
} as const;

/** time, status, lat, N/S, lon, E/W, knots, course, date, variation, E/W[, mode[, navigational status]] */
function readRmc(f: Fields): NmeaFix | FieldFault {
  if (f.length < 9) return 'malformed';
  const fixed = f[1] === 'A' && (!f[11] || fixModes.test(f[11]));
  if (!fixed) return { ...noFix, sentence: 'RMC' };
  const read = new FieldReader();
  const fix: NmeaFix = {
    ...noFix,
    sentence: 'RMC',
    ...readPosition(read, f, 2),
    speedMps: read.scaled(f[6], 0, 2_000, MPS_PER_KNOT),
    courseDeg: read.course(f[7]),
    utcMs: readUtc(f[0], f[8]),
  };
  return read.fault ?? fix;
}

/** time, lat, N/S, lon, E/W, quality, satellites, hdop, altitude, M, geoid separation, M, age, station */
function readGga(f: Fields): NmeaFix | FieldFault {
  if (f.length < 12) return 'malformed';
  const read = new FieldReader();
  const counts = readCounts(read, f);
  const quality = read.number(f[5], 0, 9);
  // 1 to 6 are fixes, 7 is a position put in by hand, 8 a simulator's, 9 is used by some makers for satellite corrections.
  const fixed = quality !== null && quality > 0 && quality !== 7 && quality !== 8;
  if (read.fault !== null) return read.fault;
  if (!fixed) return { ...noFix, sentence: 'GGA', ...counts };
  const altMslM = f[9] === 'M' || f[8] === '' ? read.number(f[8], -1_000, 100_000) : read.refuse('malformed');
  const geoidSeparationM = read.number(f[10], -200, 200);
  const fix: NmeaFix = { ...noFix, sentence: 'GGA', ...counts, ...readPosition(read, f, 1), altMslM, geoidSeparationM };
  return read.fault ?? fix;
}

/** time, lat, N/S, lon, E/W, one mode a constellation, satellites, hdop, altitude, geoid separation, age, station */
function readGns(f: Fields): NmeaFix | FieldFault {
  if (f.length < 10) return 'malformed';
  const read = new FieldReader();
  const counts = readCounts(read, f);
  if (read.fault !== null) return read.fault;
  if (!fixModes.test(f[5] ?? '')) return { ...noFix, sentence: 'GNS', ...counts };
  const fix: NmeaFix = {
    ...noFix,
    sentence: 'GNS',
    ...counts,
    ...readPosition(read, f, 1),
    altMslM: read.number(f[8], -1_000, 100_000),
    geoidSeparationM: read.number(f[9], -200, 200),
  };
  return read.fault ?? fix;
}

/** Satellites and dilution stand at the same place in GGA and GNS. */
function readCounts(read: FieldReader, f: Fields): { satellites: number | null; hdop: number | null } {
  return { satellites: read.number(f[6], 0, 255), hdop: readDop(read, f[7]) };
}

/** Latitude and longitude from four fields; a fix that lacks them, or has only one, is not a sentence to believe. */
function readPosition(read: FieldReader, f: Fields, at: number): { latDeg: number | null; lonDeg: number | null } {
  const latDeg = readAngle(read, f[at], f[at + 1], 'lat');
  const lonDeg = readAngle(read, f[at + 2], f[at + 3], 'lon');
  if (latDeg === null || lonDeg === null) read.refuse('malformed');
  return { latDeg, lonDeg };
}

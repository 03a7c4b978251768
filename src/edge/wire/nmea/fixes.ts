import { MPS_PER_KNOT } from '../../../model/units.ts';
import type { NmeaFix } from '../message.ts';
import { type FieldFault, FieldReader } from '../text_fields.ts';

const latForm = /^(\d\d)(\d\d)(?:\.(\d*))?$/;
const lonForm = /^(\d{3})(\d\d)(?:\.(\d*))?$/;

/** Reads ddmm.mmmm or dddmm.mmmm with its letter as degrees; null if both fields are empty. */
function readAngle(
  read: FieldReader,
  text: string | undefined,
  side: string | undefined,
  kind: 'lat' | 'lon',
): number | null {
  if (!text && !side) return null;
  const match = (kind === 'lat' ? latForm : lonForm).exec(text ?? '');
  const sign = kind === 'lat' ? signOf(side, 'N', 'S') : signOf(side, 'E', 'W');
  if (match === null || sign === 0) return read.refuse('malformed');
  const angle = degreesOf(match[1] ?? '', match[2] ?? '', match[3] ?? '');
  if (Number(match[2]) >= 60 || angle > (kind === 'lat' ? 90 : 180)) return read.refuse('implausible');
  return angle === 0 ? 0 : sign * angle;
}

/**
 * Converts degrees and minutes to the nearest double. Dividend and divisor are integers below 2^53, so only the
 * division rounds. Up to eleven decimals of the minutes are used.
 */
function degreesOf(degrees: string, minutes: string, decimals: string): number {
  const fraction = decimals.slice(0, 11);
  const scale = 10 ** fraction.length;
  return (Number(degrees) * 60 * scale + Number(minutes + fraction)) / (60 * scale);
}

function signOf(side: string | undefined, positive: string, negative: string): number {
  return side === positive ? 1 : side === negative ? -1 : 0;
}

/** Reads a dilution of precision; null if it is absent, or at least 99: receivers write 99.99 for unknown. */
function readDop(read: FieldReader, text: string | undefined): number | null {
  const dop = read.number(text, 0, 1e6);
  return dop === null || dop >= 99 ? null : dop;
}

/**
 * Earliest accepted date. An earlier date comes from a receiver whose clock starts at 1980, or whose GPS week number
 * (1,024 weeks) has rolled over.
 */
const EARLIEST_MS = Date.UTC(2020, 0, 1);

type Utc = Pick<NmeaFix, 'utcMs' | 'refusedUtcMs'>;
const noUtc: Utc = { utcMs: null, refusedUtcMs: null };

/** Reads UTC from hhmmss.sss and ddmmyy. Years from 80 are in the 20th century, because GPS began in 1980. */
function readUtc(time: string | undefined, date: string | undefined): Utc {
  const d = /^(\d\d)(\d\d)(\d\d)$/.exec(date ?? '');
  if (d === null) return noUtc;
  const yearOfCentury = Number(d[3]);
  return utcOf(time, yearOfCentury + (yearOfCentury >= 80 ? 1900 : 2000), Number(d[2]), Number(d[1]));
}

/**
 * Reads UTC from hhmmss.sss on a day; an invalid date or time gives nulls. A date before 2020 is refused
 * (`EARLIEST_MS`).
 */
function utcOf(time: string | undefined, year: number, month: number, day: number): Utc {
  const t = /^(\d\d)(\d\d)(\d\d)(\.\d*)?$/.exec(time ?? '');
  if (t === null) return noUtc;
  const [hour, minute, second] = [Number(t[1]), Number(t[2]), Number(t[3])];
  if (hour > 23 || minute > 59 || second > 60) return noUtc;
  const midnightMs = Date.UTC(year, month - 1, day);
  const midnight = new Date(midnightMs);
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return noUtc;
  const fractionMs = t[4] ? Math.round(Number(`0${t[4]}`) * 1000) : 0;
  const utcMs = midnightMs + ((hour * 60 + minute) * 60 + second) * 1000 + fractionMs;
  return utcMs < EARLIEST_MS ? { utcMs: null, refusedUtcMs: utcMs } : { utcMs, refusedUtcMs: null };
}

type Fields = readonly string[];

/** Readers by the type of the sentences that report a position or the time. */
export const fixReaders: Readonly<Record<string, (fields: Fields) => NmeaFix | FieldFault>> = {
  RMC: readRmc,
  GGA: readGga,
  GNS: readGns,
  ZDA: readZda,
};

/**
 * Mode letters of measured positions: autonomous, differential, precise, RTK fixed and float, estimated. Manual and
 * simulated positions are no fix.
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
  refusedUtcMs: null,
} as const;

/** Reads RMC: time, status, lat, N/S, lon, E/W, knots, course, date, variation, E/W[, mode[, navigational status]]. */
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
    ...readUtc(f[0], f[8]),
  };
  return read.fault ?? fix;
}

/**
 * Reads ZDA: time, day, month, year[, zone hours, zone minutes]. Receivers without a fix also send it, with the time
 * of their own clock.
 */
function readZda(f: Fields): NmeaFix | FieldFault {
  if (f.length < 4) return 'malformed';
  const isDated = /^\d\d$/.test(f[1] ?? '') && /^\d\d$/.test(f[2] ?? '') && /^\d{4}$/.test(f[3] ?? '');
  const utc = isDated ? utcOf(f[0], Number(f[3]), Number(f[2]), Number(f[1])) : noUtc;
  return { ...noFix, sentence: 'ZDA', ...utc };
}

/** Reads GGA: time, lat, N/S, lon, E/W, quality, satellites, hdop, altitude, M, geoid separation, M, age, station. */
function readGga(f: Fields): NmeaFix | FieldFault {
  if (f.length < 12) return 'malformed';
  const read = new FieldReader();
  const counts = readCounts(read, f);
  const quality = read.number(f[5], 0, 9);
  // Quality 1 to 6 is a fix, 7 a position entered by hand, 8 a simulated position. Some makers use 9 for satellite
  // corrections.
  const fixed = quality !== null && quality > 0 && quality !== 7 && quality !== 8;
  if (read.fault !== null) return read.fault;
  if (!fixed) return { ...noFix, sentence: 'GGA', ...counts };
  const altMslM = f[9] === 'M' || f[8] === '' ? read.number(f[8], -1_000, 100_000) : read.refuse('malformed');
  const geoidSeparationM = read.number(f[10], -200, 200);
  const fix: NmeaFix = { ...noFix, sentence: 'GGA', ...counts, ...readPosition(read, f, 1), altMslM, geoidSeparationM };
  return read.fault ?? fix;
}

/**
 * Reads GNS: time, lat, N/S, lon, E/W, one mode letter for each constellation, satellites, hdop, altitude, geoid
 * separation, age, station.
 */
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

/** Reads satellites and dilution of precision, which GGA and GNS have in the same fields. */
function readCounts(read: FieldReader, f: Fields): { satellites: number | null; hdop: number | null } {
  return { satellites: read.number(f[6], 0, 255), hdop: readDop(read, f[7]) };
}

/** Reads latitude and longitude from four fields. A fix that lacks one or both is `malformed`. */
function readPosition(read: FieldReader, f: Fields, at: number): { latDeg: number | null; lonDeg: number | null } {
  const latDeg = readAngle(read, f[at], f[at + 1], 'lat');
  const lonDeg = readAngle(read, f[at + 2], f[at + 3], 'lon');
  if (latDeg === null || lonDeg === null) read.refuse('malformed');
  return { latDeg, lonDeg };
}

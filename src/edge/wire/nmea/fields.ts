import type { FieldReader } from '../text_fields.ts';

const latForm = /^(\d\d)(\d\d)(?:\.(\d*))?$/;
const lonForm = /^(\d{3})(\d\d)(?:\.(\d*))?$/;

/** ddmm.mmmm or dddmm.mmmm with its letter, in degrees; null where both are empty. */
export function readAngle(
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
 * Degrees and minutes as the nearest double. Both sides of the division are whole numbers below 2^53 (minutes have at
 * most eleven decimals, a nanometre has nine), so the division is the only rounding.
 */
function degreesOf(degrees: string, minutes: string, decimals: string): number {
  const fraction = decimals.slice(0, 11);
  const scale = 10 ** fraction.length;
  return (Number(degrees) * 60 * scale + Number(minutes + fraction)) / (60 * scale);
}

function signOf(side: string | undefined, positive: string, negative: string): number {
  return side === positive ? 1 : side === negative ? -1 : 0;
}

/** A dilution of precision; receivers write 99.99 where they have none. */
export function readDop(read: FieldReader, text: string | undefined): number | null {
  const dop = read.number(text, 0, 1e6);
  return dop === null || dop >= 99 ? null : dop;
}

/** 2020-01-01T00:00:00Z: an earlier date is of a receiver that has lost count of its 1 024-week eras. */
const EARLIEST_MS = Date.UTC(2020, 0, 1);

/**
 * UTC milliseconds of hhmmss.sss and ddmmyy, or null where they make no date and time since 2020. The century is the
 * 21st: a receiver that counts from 1980 or lost a GPS era says a date before 2020, which is not believed.
 */
export function readUtc(time: string | undefined, date: string | undefined): number | null {
  const t = /^(\d\d)(\d\d)(\d\d)(\.\d*)?$/.exec(time ?? '');
  const d = /^(\d\d)(\d\d)(\d\d)$/.exec(date ?? '');
  if (t === null || d === null) return null;
  const [hour, minute, second] = [Number(t[1]), Number(t[2]), Number(t[3])];
  const [day, month, yearOfCentury] = [Number(d[1]), Number(d[2]), Number(d[3])];
  if (hour > 23 || minute > 59 || second > 60 || yearOfCentury >= 80) return null;
  const midnightMs = Date.UTC(2000 + yearOfCentury, month - 1, day);
  const midnight = new Date(midnightMs);
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return null;
  const fractionMs = t[4] ? Math.round(Number(`0${t[4]}`) * 1000) : 0;
  const utcMs = midnightMs + ((hour * 60 + minute) * 60 + second) * 1000 + fractionMs;
  return utcMs < EARLIEST_MS ? null : utcMs;
}

import { z } from 'zod';
import { parseTime } from './time.ts';

/** Scalars that every document is made of; one name, one range, one description. */
/** In either case when it is sent; it is looked up, kept and told in lower case. */
export const uuid = z.uuid().toLowerCase();

const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Only years that RFC 3339 can write, also once the offset is taken off. */
export const timestamp = z.iso
  .datetime({ offset: true })
  .refine(isWritable, 'must be a time of the years 0001 to 9999 in UTC')
  .describe('RFC 3339 UTC with milliseconds');
/** What people call things: one line, without characters that nobody sees. */
export const name = z
  .string()
  .trim()
  .min(1)
  .max(120)
  .regex(
    /^[^\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]*$/u,
    'must be one line of characters that can be seen',
  );
export const lat = z.number().min(-90).max(90).describe('WGS 84 latitude, degrees');
export const lon = z.number().min(-180).max(180).describe('WGS 84 longitude, degrees');
export const altHaeM = z.number().min(-1_000).max(100_000).describe('metres above the WGS 84 ellipsoid');
export const altMslM = z.number().min(-1_000).max(100_000).describe('metres above the EGM96 geoid');
export const altAglM = z.number().min(-1_000).max(100_000).describe('metres above ground');
export const heightTakeoffM = z.number().min(-10_000).max(100_000).describe('metres above the take-off point');
export const courseDeg = z.number().min(0).lt(360).describe('degrees clockwise from true north');
export const sigmaM = z.number().positive().max(100_000).describe('one standard deviation, metres');
export const count = z.int().min(0);
export const unitInterval = z.number().min(0).max(1);

/** What is no time at all is told of as that, by the format. */
function isWritable(text: string): boolean {
  const utcMs = parseTime(text);
  return utcMs === null || (utcMs >= EARLIEST_MS && utcMs <= LATEST_MS);
}

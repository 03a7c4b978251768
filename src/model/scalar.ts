import { z } from 'zod';

/** Scalars that every document is made of; one name, one range, one description. */
export const uuid = z.uuid();
export const timestamp = z.iso.datetime({ offset: true }).describe('RFC 3339 UTC with milliseconds');
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

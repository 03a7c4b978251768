import { z } from 'zod';
import { parseTime } from './time.ts';

/** UUID. Either case is accepted; Dunlin stores and publishes lower case. */
export const uuid = z.uuid().toLowerCase();

const EARLIEST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** RFC 3339 time. After conversion to UTC its year must still be 0001 to 9999. */
export const timestamp = z.iso
  .datetime({ offset: true })
  .refine(isWritable, 'must be a time between the years 1 and 9999 in UTC')
  .describe('RFC 3339 UTC with milliseconds');
/** Name of one line, given by a person, without control, zero-width and direction characters. */
export const name = z
  .string()
  .trim()
  .min(1)
  .max(120)
  .regex(/^[^\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]*$/u, 'must be one line of visible characters');
/** A number from `least` to `most`, inclusive. */
export function between(least: number, most: number) {
  return z.number().min(least).max(most);
}

/** An integer from `least` to `most`, inclusive. */
export function wholeBetween(least: number, most: number) {
  return z.int().min(least).max(most);
}

export function positiveUpTo(most: number) {
  return z.number().positive().max(most);
}

/** A text of 1 to `most` characters. */
export function textUpTo(most: number) {
  return z.string().min(1).max(most);
}

export const notNegative = z.number().min(0);
export const lat = between(-90, 90).describe('WGS 84 latitude, degrees');
export const lon = between(-180, 180).describe('WGS 84 longitude, degrees');
export const altHaeM = between(-1_000, 100_000).describe('metres above the WGS 84 ellipsoid');
export const altMslM = between(-1_000, 100_000).describe('metres above the EGM96 geoid');
export const altAglM = between(-1_000, 100_000).describe('metres above ground');
export const heightTakeoffM = between(-10_000, 100_000).describe('metres above the take-off point');
export const courseDeg = z.number().min(0).lt(360).describe('degrees clockwise from true north');
export const sigmaM = positiveUpTo(100_000).describe('one standard deviation, metres');
export const count = z.int().min(0);
export const unitInterval = between(0, 1);

/** Builds a strict object schema. `id` is the schema's name in the OpenAPI document. */
export function namedObject<Shape extends z.core.$ZodLooseShape>(id: string, shape: Shape) {
  return z.strictObject(shape).meta({ id });
}

/** Version of a stored document, and the times of its first and last write. */
export const stored = { version: z.int(), created_at: timestamp, updated_at: timestamp };

/** Version on which the caller of a change relies; the change is refused if the document has another version. */
export const seenVersion = count
  .optional()
  .describe('version that the caller has seen; any other version is a conflict');

/** Text of 1 to `most` characters; surrounding white space is removed. */
export function words(most: number) {
  return z.string().trim().min(1).max(most);
}

export function isOnceEach(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

/** List of words from `of`, each at most once. */
export function someOf<const Words extends readonly [string, ...string[]]>(of: Words) {
  return z.array(z.enum(of)).max(of.length).refine(isOnceEach, 'contains a value twice');
}

type Maybe<Field extends z.ZodType> = Field extends z.ZodOptional
  ? Field
  : z.ZodOptional<Field extends z.ZodDefault<infer Inner> | z.ZodPrefault<infer Inner> ? Inner : Field>;

/** Derives the fields of a change: each field is optional and has no default. `version` is added. */
export function patchOf<Shape extends Record<string, z.ZodType>>(shape: Shape) {
  const maybe = (field: z.ZodType): z.ZodType => {
    if (field instanceof z.ZodOptional) return field;
    const hasDefault = field instanceof z.ZodDefault || field instanceof z.ZodPrefault;
    return z.optional(hasDefault ? field.unwrap() : field);
  };
  const fields = Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, maybe(field)]));
  return { ...(fields as { [Key in keyof Shape]: Maybe<Shape[Key]> }), version: seenVersion };
}

/**
 * Returns true if a time is within the allowed years. A text that is not a time also passes, because the format check
 * refuses it.
 */
function isWritable(text: string): boolean {
  const utcMs = parseTime(text);
  return utcMs === null || (utcMs >= EARLIEST_MS && utcMs <= LATEST_MS);
}

import type { AsterixHead } from './message.ts';
import type { Decoded, DecodedParts, DecodedRecord } from './read_item.ts';

export const METRES_PER_NM = 1_852;
export const METRES_PER_FLIGHT_LEVEL = 30.48;
const HEX_DIGITS = 6;

/** Returns the parts of an item; an empty object if the record does not have the item. */
export function partsOf(item: Decoded | undefined): DecodedParts {
  return typeof item === 'object' && item !== null && !Array.isArray(item) ? (item as DecodedParts) : {};
}

export function numberOf(item: Decoded | undefined): number | null {
  return typeof item === 'number' ? item : null;
}

/** Multiplies a number by a factor; null if the record has no number. */
export function scaled(item: Decoded | undefined, factor: number): number | null {
  return typeof item === 'number' ? item * factor : null;
}

/** Returns a text without surrounding blanks; null if nothing remains. */
export function textOf(item: Decoded | undefined): string | null {
  const text = typeof item === 'string' ? item.trim() : '';
  return text === '' ? null : text;
}

/** Formats an aircraft address as six hexadecimal digits; null if it is absent or all zeros, which no aircraft has. */
export function addressOf(item: Decoded | undefined): string | null {
  return typeof item === 'number' && item > 0 ? item.toString(16).toUpperCase().padStart(HEX_DIGITS, '0') : null;
}

/**
 * Reads source and time of day of a record; `time` is the item that contains the time. Returns null if the record lacks
 * the mandatory source.
 */
export function headOf(record: DecodedRecord, time: string): AsterixHead | null {
  const { SAC: sac, SIC: sic } = partsOf(record['010']);
  if (typeof sac !== 'number' || typeof sic !== 'number') return null;
  return { source: `${sac}/${sic}`, timeOfDayS: numberOf(record[time]) };
}

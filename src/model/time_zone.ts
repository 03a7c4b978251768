import { z } from 'zod';
import { textUpTo } from './scalar.ts';

/**
 * Returns true if a text names a known time zone. Offsets such as +01:00 are refused, because they have no daylight
 * saving time.
 */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

export const timeZone = textUpTo(64)
  .refine(isTimeZone, 'must be the name of a time zone, for example Europe/Vienna or UTC')
  .describe('IANA time zone');

export const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day, HH:MM');

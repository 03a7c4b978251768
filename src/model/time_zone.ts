import { z } from 'zod';

/** Whether this computer knows a time zone of this name; an offset such as +01:00 is none, since it has no summer time. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

export const timeZone = z
  .string()
  .min(1)
  .max(64)
  .refine(isTimeZone, 'must be the name of a time zone, for example Europe/Vienna or UTC')
  .describe('an IANA time zone');

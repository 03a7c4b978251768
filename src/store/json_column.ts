import type { z } from 'zod';
import { Fault } from '../model/fault.ts';

/** A column of JSON read with its schema; null stays null. Throws a Fault `internal` that begins with `what`. */
export function parsedColumn<T>(text: string | null, schema: z.ZodType<T>, what: string): T | null {
  if (text === null) return null;
  const read = schema.safeParse(JSON.parse(text));
  if (read.success) return read.data;
  const [why] = read.error.issues;
  throw new Fault('internal', `${what} does not read: ${why?.path.join('.')}: ${why?.message}.`);
}

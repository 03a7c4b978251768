import type { z } from 'zod';
import { closest } from '../model/closest.ts';
import type { FieldFault } from '../model/fault.ts';
import { faultOfAll, faultsOfIssues } from '../model/issue.ts';

/** Schema of a route's parameters: an object of plain fields. The same schema validates and documents them. */
export type ParameterSchema = z.ZodObject;

/**
 * Parses a query string by its schema; numbers and booleans are converted from text first. A repeated or unknown
 * parameter is refused, because an answer that ignored it would mislead the caller.
 */
export function readQuery<S extends ParameterSchema>(schema: S, query: URLSearchParams): z.infer<S> {
  const raw: Record<string, unknown> = Object.create(null);
  const faults: FieldFault[] = [];
  for (const [key, text] of query) {
    const field = Object.hasOwn(schema.shape, key) ? schema.shape[key] : undefined;
    const name = key.slice(0, 60);
    if (field === undefined) faults.push({ path: name, text: unknownParameter(name, schema) });
    else if (key in raw) faults.push({ path: name, text: `'${name}' is given more than once` });
    else raw[key] = fromText(field, text);
  }
  const read = schema.safeParse(raw);
  if (!read.success) faults.push(...faultsOfIssues(read.error.issues, 'the query', raw));
  if (read.success && faults.length === 0) return read.data;
  throw faultOfAll(faults, 'the query');
}

function unknownParameter(name: string, { shape }: ParameterSchema): string {
  const meant = closest(name, Object.keys(shape));
  return `'${name}' is not a parameter of this route${meant === null ? '' : `; did you mean '${meant}'?`}`;
}

/** Returns true if a schema field accepts a number. */
export function isNumeric(field: z.core.$ZodType | undefined): boolean {
  return field !== undefined && innerType(field) === 'number';
}

function innerType(schema: z.core.$ZodType): string {
  let def = schema._zod.def as { type: string; innerType?: z.core.$ZodType };
  while (def.innerType !== undefined) def = def.innerType._zod.def as typeof def;
  return def.type;
}

/**
 * Converts a text to the type of its schema field. A text of another type stays a text, so that validation reports the
 * right fault.
 */
export function fromText(field: z.core.$ZodType, text: string): unknown {
  const type = innerType(field);
  if (type === 'number' && /^-?\d{1,16}(\.\d{1,9})?$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  // The plus sign of a UTC offset arrives as a space if the client did not percent-encode it.
  return text.replace(/(T\d\d:\d\d\S*) (\d\d:\d\d)$/, '$1+$2');
}

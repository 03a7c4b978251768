import type { z } from 'zod';
import { Fault } from '../model/fault.ts';
import { sentenceOfIssues } from '../model/issue.ts';

/** The parameters of a route are objects of plain fields, so that one schema validates and documents them. */
export type ParameterSchema = z.ZodObject;

/**
 * A query string by its schema. Numbers and truth values are read from their text first; a parameter that is given
 * twice or is not known is refused, since a filter that is silently ignored answers another question.
 */
export function readQuery<S extends ParameterSchema>(schema: S, query: URLSearchParams): z.infer<S> {
  const raw: Record<string, unknown> = Object.create(null);
  for (const [key, text] of query) {
    const field = Object.hasOwn(schema.shape, key) ? schema.shape[key] : undefined;
    if (field === undefined) throw new Fault('invalid_input', `'${key.slice(0, 60)}' is not a parameter of this route`);
    if (key in raw) throw new Fault('invalid_input', `'${key}' is given more than once`);
    raw[key] = fromText(innerType(field), text);
  }
  const read = schema.safeParse(raw);
  if (!read.success) throw new Fault('invalid_input', sentenceOfIssues(read.error.issues, 'the query', raw));
  return read.data;
}

function innerType(schema: z.core.$ZodType): string {
  let def = schema._zod.def as { type: string; innerType?: z.core.$ZodType };
  while (def.innerType !== undefined) def = def.innerType._zod.def as typeof def;
  return def.type;
}

/** Text that is not of the type stays text, and so fails validation with the right sentence. */
function fromText(type: string, text: string): unknown {
  if (type === 'number' && /^-?\d{1,16}(\.\d{1,9})?$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

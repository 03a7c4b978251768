import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

/** A value that a schema has taken, without what the schema would put there again. */
export function withoutDefaults(schema: unknown, value: unknown): unknown {
  const inner = unwrapped(schema);
  if (Array.isArray(value))
    return inner instanceof z.ZodArray ? value.map((entry) => withoutDefaults(inner.element, entry)) : value;
  if (typeof value !== 'object' || value === null) return value;
  const form = inner instanceof z.ZodUnion ? inner.options.find((option) => isOf(option, value)) : inner;
  const object = unwrapped(form);
  if (!(object instanceof z.ZodObject)) return value;
  const said = Object.entries(value).flatMap(([key, child]) => {
    const field = object.shape[key];
    return child === undefined || isDefault(field, child) ? [] : [[key, withoutDefaults(field, child)]];
  });
  return Object.fromEntries(said);
}

function isOf(schema: unknown, value: unknown): boolean {
  return schema instanceof z.ZodType && schema.safeParse(value).success;
}

function isDefault(schema: unknown, value: unknown): boolean {
  if (!(schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)) return false;
  return isDeepStrictEqual(schema.parse(undefined), value);
}

function unwrapped(schema: unknown): unknown {
  let inner = schema;
  while (
    inner instanceof z.ZodOptional ||
    inner instanceof z.ZodNullable ||
    inner instanceof z.ZodDefault ||
    inner instanceof z.ZodPrefault
  )
    inner = inner.unwrap();
  return inner;
}

import { z } from 'zod';

type Path = readonly PropertyKey[];

/** Returns the keys that a schema allows in the mapping at `path`. In a union, the keys of all members count. */
export function keysAt(schema: z.ZodType, path: Path): string[] {
  let here = formsOf(schema);
  for (const key of path) {
    here = here.flatMap((form) => {
      if (form instanceof z.ZodArray) return formsOf(form.element);
      return form instanceof z.ZodObject ? formsOf(form.shape[String(key)]) : [];
    });
  }
  const keys = here.flatMap((form) => (form instanceof z.ZodObject ? Object.keys(form.shape) : []));
  return [...new Set(keys)];
}

function formsOf(schema: unknown): unknown[] {
  const inner = unwrap(schema);
  return inner instanceof z.ZodUnion ? inner.options.flatMap(formsOf) : [inner];
}

function unwrap(schema: unknown): unknown {
  let inner = schema;
  for (;;) {
    if (inner instanceof z.ZodPipe) inner = inner.in;
    else if (
      inner instanceof z.ZodOptional ||
      inner instanceof z.ZodNullable ||
      inner instanceof z.ZodDefault ||
      inner instanceof z.ZodPrefault
    )
      inner = inner.unwrap();
    else return inner;
  }
}

import { z } from 'zod';

export type JsonSchema = { [key: string]: unknown };

/** Schemas by name, collected while the document is built. */
export type Components = Map<string, JsonSchema>;

/**
 * Converts a zod schema to the form of OpenAPI 3.0.3. Schemas with an id are added to `found` and referred to. `input`
 * describes requests, `output` answers. Throws if two different schemas have the same name.
 */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output', found: Components): JsonSchema {
  const whole = z.toJSONSchema(schema, { target: 'openapi-3.0', io }) as JsonSchema;
  const { definitions = {}, ...own } = tidy(whole) as JsonSchema & { definitions?: Record<string, JsonSchema> };
  for (const [name, body] of Object.entries(definitions)) addComponent(found, name, body);
  const id = schema.meta()?.id;
  if (id === undefined || '$ref' in own) return own;
  addComponent(found, id, own);
  return { $ref: `#/components/schemas/${id}` };
}

function addComponent(found: Components, name: string, body: JsonSchema): void {
  const known = found.get(name);
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(body)) {
    throw new Error(`the interface has two different schemas called ${name}`);
  }
  found.set(name, body);
}

/** Bounds that zod adds to an integer without bounds: the limits of exact integers in a double. */
const unbounded = new Set<unknown>([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);

/**
 * Adapts a generated schema to OpenAPI 3.0.3. References then point into `components`, and `nullable` allows null.
 * Schema ids, meaningless bounds, and patterns that repeat a format are removed.
 */
export function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy);
  if (typeof value !== 'object' || value === null) return value;
  const to: JsonSchema = {};
  for (const [key, entry] of Object.entries(value)) {
    if (key === '$id' || (key === 'id' && typeof entry === 'string')) continue;
    if (key === 'pattern' && 'format' in value) continue;
    if ((key === 'minimum' || key === 'maximum') && unbounded.has(entry)) continue;
    to[key] = key === '$ref' ? String(entry).replace('#/definitions/', '#/components/schemas/') : tidy(entry);
  }
  // zod puts the reference to a named schema into `allOf`. Without other fields beside it, the reference is enough.
  if (Array.isArray(to.allOf) && to.allOf.length === 1 && Object.keys(to).length === 1) return to.allOf[0];
  if (to.nullable !== true) return to;
  if (Array.isArray(to.enum)) return { ...to, enum: [...to.enum, null] };
  if (!Array.isArray(to.allOf) || 'type' in to) return to;
  const { nullable: _nullable, allOf, ...rest } = to;
  return { ...rest, oneOf: [...allOf, { type: 'object', nullable: true, enum: [null] }] };
}

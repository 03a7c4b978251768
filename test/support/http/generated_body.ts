import fc from 'fast-check';
import type { OpenApi, Schema } from './openapi.ts';

const MOST_ITEMS = 3;
const DEPTH = 6;

/** Values that a schema of an OpenAPI 3.0 document allows; what it leaves open is any JSON. */
export function valuesOf(document: OpenApi, schema: Schema, depth = DEPTH): fc.Arbitrary<unknown> {
  const inner = followed(document, schema);
  const value = plainValuesOf(document, inner, depth);
  return inner.nullable === true ? fc.option(value, { nil: null }) : value;
}

function followed(document: OpenApi, schema: Schema): Schema {
  if (typeof schema.$ref !== 'string') return schema;
  const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  return { ...document.components.schemas[name], ...(schema.nullable === true ? { nullable: true } : {}) };
}

function plainValuesOf(document: OpenApi, schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const choices = (schema.oneOf ?? schema.anyOf) as Schema[] | undefined;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => valuesOf(document, choice, depth - 1)));
  const [only] = (schema.allOf ?? []) as Schema[];
  if (only !== undefined) return valuesOf(document, only, depth - 1);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'string':
      return stringsOf(schema);
    case 'integer':
      return fc.integer({ min: boundOf(schema, 'minimum', -1_000, 1), max: boundOf(schema, 'maximum', 1_000, -1) });
    case 'number':
      return fc.double({
        min: Number(schema.minimum ?? -1e6),
        max: Number(schema.maximum ?? 1e6),
        minExcluded: schema.exclusiveMinimum === true,
        maxExcluded: schema.exclusiveMaximum === true,
        noNaN: true,
      });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return arraysOf(document, schema, depth);
    case 'object':
      return objectsOf(document, schema, depth);
    default:
      return fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.string({ maxLength: 5 }));
  }
}

function boundOf(schema: Schema, name: 'minimum' | 'maximum', otherwise: number, inwards: number): number {
  const bound = Number(schema[name] ?? otherwise);
  const excluded = schema[name === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum'] === true;
  return Math.min(Math.max(excluded ? bound + inwards : bound, -(2 ** 31)), 2 ** 31 - 1);
}

function stringsOf(schema: Schema): fc.Arbitrary<string> {
  if (schema.format === 'uuid') return fc.uuid();
  if (schema.format === 'date-time')
    return fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((date) => date.toISOString());
  if (typeof schema.pattern === 'string') return fc.stringMatching(new RegExp(schema.pattern, 'u'));
  const minLength = Number(schema.minLength ?? 0);
  const maxLength = Math.min(Number(schema.maxLength ?? 40), minLength + 40);
  // Whatever a person may type: what is only blank is refused as empty where something is asked for.
  return fc
    .string({ unit: 'grapheme', minLength, maxLength })
    .map((text) => (text.trim() === '' ? 'x'.repeat(Math.max(1, minLength)) : text));
}

function arraysOf(document: OpenApi, schema: Schema, depth: number): fc.Arbitrary<unknown[]> {
  const minLength = Number(schema.minItems ?? 0);
  const maxLength = Math.min(Number(schema.maxItems ?? MOST_ITEMS), Math.max(minLength, depth > 0 ? MOST_ITEMS : 0));
  return fc.array(valuesOf(document, (schema.items ?? {}) as Schema, depth - 1), { minLength, maxLength });
}

function objectsOf(document: OpenApi, schema: Schema, depth: number): fc.Arbitrary<object> {
  const fields = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  const requiredKeys = (schema.required ?? []) as string[];
  const kept = depth > 0 ? fields : fields.filter(([name]) => requiredKeys.includes(name));
  const record = Object.fromEntries(kept.map(([name, field]) => [name, valuesOf(document, field, depth - 1)]));
  return fc.record(record, { requiredKeys });
}

/** A place in a body: the names and indices that lead there. */
export type Place = readonly (string | number)[];

/** Every place of a JSON value, itself included. */
export function placesOf(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...at, key]))];
}

/** A copy of a JSON value with another value at a place; undefined takes it away. */
export function changedAt(value: unknown, [key, ...rest]: Place, to: unknown): unknown {
  if (key === undefined) return to;
  if (Array.isArray(value))
    return value.map((item, i) => (String(i) === String(key) ? changedAt(item, rest, to) : item));
  const fields = value as Record<string, unknown>;
  const changed = changedAt(fields[key], rest, to);
  const { [key]: _was, ...others } = fields;
  return changed === undefined ? others : { ...others, [key]: changed };
}

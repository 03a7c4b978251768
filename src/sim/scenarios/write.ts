import { isDeepStrictEqual } from 'node:util';
import { Document, isPair, isScalar, visit } from 'yaml';
import { z } from 'zod';
import { type ScenarioSpec, scenarioSpecSchema } from '../../model/scenario.ts';
import { isTooDense } from './bounds.ts';

/** Longest collection that is written in one line, characters. */
const MOST_IN_LINE = 90;

/** A scenario as YAML for people to edit, without default values. */
export function writeScenario(spec: ScenarioSpec): string {
  const given = withoutDefaults(scenarioSpecSchema, spec);
  const doc = new Document(given, { aliasDuplicateObjects: false });
  visit(doc, {
    Collection(_, node) {
      const plain = node.items.every((item) => isScalar(isPair(item) ? item.value : item));
      if (plain && JSON.stringify(node.toJSON()).length <= MOST_IN_LINE) node.flow = true;
    },
  });
  const text = doc.toString({ lineWidth: 120 });
  // Text beyond the limit for YAML is written as JSON, which is read at any length.
  return isTooDense(text) ? `${JSON.stringify(given, null, 1)}\n` : text;
}

/** A parsed value without the fields that its schema would fill in with the same defaults. */
function withoutDefaults(schema: unknown, value: unknown): unknown {
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

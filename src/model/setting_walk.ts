import { z } from 'zod';

/** Facts about one value of a schema: its path, its range (null if unlimited) and its description. */
export type SettingFacts = { path: readonly string[]; min: number | null; max: number | null; description: string };

type Node = {
  type?: unknown;
  properties?: Record<string, Node>;
  items?: Node;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  description?: string;
};

/** Cached facts, by schema. They are collected at the first request, because this takes 20 ms. */
const known = new WeakMap<z.ZodType, readonly SettingFacts[]>();

/**
 * Lists the single values of a schema, in the order of the schema. Lists of objects are left out, because they are not
 * settings.
 */
export function settingFacts(schema: z.ZodType): readonly SettingFacts[] {
  const facts = known.get(schema) ?? walk(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Node, []);
  known.set(schema, facts);
  return facts;
}

function walk(node: Node, path: readonly string[]): SettingFacts[] {
  if (node.properties) return Object.entries(node.properties).flatMap(([key, child]) => walk(child, [...path, key]));
  if (node.items?.properties) return [];
  const min = node.minimum ?? node.exclusiveMinimum ?? null;
  return [{ path, min, max: node.maximum ?? null, description: node.description ?? '' }];
}

/** Returns the value at a path; undefined if the path does not exist. */
export function valueAt(whole: unknown, path: readonly string[]): unknown {
  let value = whole;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

import { z } from 'zod';

/** Properties of one value in a schema. */
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

/** Facts by schema: a walk takes 20 ms, so that it is not made before the first request. */
const known = new WeakMap<z.ZodType, readonly SettingFacts[]>();

/** Every single value in a schema, in its order. Lists of objects are no settings. */
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

/** The value at a path; undefined where there is none. */
export function valueAt(whole: unknown, path: readonly string[]): unknown {
  let value = whole;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

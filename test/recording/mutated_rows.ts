import fc from 'fast-check';
import type { RecordedRow } from '../../src/recording/records.ts';

type Json = null | boolean | number | string | Json[] | { [field: string]: Json };

/** What a field of a row is never: another type, beyond all bounds, nested for no reason. */
const junk: fc.Arbitrary<Json | undefined> = fc.oneof(
  fc.constantFrom<(Json | undefined)[]>(undefined, null, true, -1, 0.5, 1e308, '', [], {}, [[[[[]]]]], { id: 'x' }),
  fc.string({ maxLength: 20 }),
  fc.integer({ min: 1, max: 20 }).map((power) => 'x'.repeat(2 ** power)),
  fc.integer({ min: 1, max: 5_000 }).map((length): Json => Array<Json>(length).fill(7)),
);

/** A row in which fields at any depth are taken away or are something else; its id stays. */
export function mutated(row: RecordedRow): fc.Arbitrary<RecordedRow> {
  const paths = pathsOf(row as Json).filter((path) => path.length > 0 && path.join() !== 'id');
  const change = fc.record({ path: fc.constantFrom(...paths), to: junk });
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
    const copy = structuredClone(row) as { [field: string]: Json };
    for (const { path, to } of changes) put(copy, path, to);
    return JSON.parse(JSON.stringify(copy)) as RecordedRow;
  });
}

function pathsOf(value: Json, path: readonly string[] = []): string[][] {
  const inner = value !== null && typeof value === 'object' ? Object.entries(value) : [];
  return [[...path], ...inner.flatMap(([key, of]) => pathsOf(of, [...path, key]))];
}

function put(root: Json, path: readonly string[], to: Json | undefined): void {
  let parent = root as Record<string, Json> | undefined;
  for (const key of path.slice(0, -1)) parent = parent?.[key] as Record<string, Json> | undefined;
  const last = path.at(-1) ?? '';
  // An earlier change may have taken the parent away.
  if (parent === null || typeof parent !== 'object') return;
  if (to === undefined) delete parent[last];
  else parent[last] = to;
}

/** Limit for the values before and after a change in an audit row, bytes of JSON. */
export const DEED_BYTES = 16 * 1024;

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
type Measure = { entries: number; chars: number; depth: number };

/** Shortenings from generous to sparse: the first that fits is used. */
const measures: readonly Measure[] = [
  { entries: 20, chars: 200, depth: 6 },
  { entries: 8, chars: 80, depth: 4 },
  { entries: 3, chars: 40, depth: 2 },
];

/**
 * A value as JSON, without undefined fields. A value over the limit of a row is replaced by its size, the number of
 * entries of it and of each of its lists, and the first of them.
 */
export function deedValue(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  const text = JSON.stringify(value);
  const bytes = Buffer.byteLength(text);
  const json = JSON.parse(text) as Json;
  if (bytes <= DEED_BYTES) return json;
  const counts = countsOf(json);
  for (const measure of measures) {
    const said = { shortened: true, bytes, counts, first: shortened(json, measure) };
    if (Buffer.byteLength(JSON.stringify(said)) <= DEED_BYTES) return said;
  }
  return { shortened: true, bytes, counts: {} };
}

/** Number of entries of the value, and of each list or object in its fields. */
function countsOf(json: Json): Record<string, number> {
  if (typeof json !== 'object' || json === null) return {};
  const fields = Array.isArray(json) ? [] : Object.entries(json).slice(0, 20);
  const listed = fields.flatMap(([key, field]): [string, number][] =>
    typeof field === 'object' && field !== null ? [[cut(key, 40), sizeOf(field)]] : [],
  );
  return { entries: sizeOf(json), ...Object.fromEntries(listed) };
}

function sizeOf(json: object): number {
  return Array.isArray(json) ? json.length : Object.keys(json).length;
}

function shortened(json: Json, { entries, chars, depth }: Measure): Json {
  if (typeof json === 'string') return cut(json, chars);
  if (typeof json !== 'object' || json === null) return json;
  if (depth === 0) return Array.isArray(json) ? `a list of ${json.length}` : `an object of ${sizeOf(json)} fields`;
  const deeper = { entries, chars, depth: depth - 1 };
  if (Array.isArray(json)) return json.slice(0, entries).map((entry) => shortened(entry, deeper));
  const fields = Object.entries(json).slice(0, entries);
  return Object.fromEntries(fields.map(([key, field]) => [cut(key, chars), shortened(field, deeper)]));
}

function cut(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

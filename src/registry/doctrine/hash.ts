import { createHash } from 'node:crypto';

/** Hash of the content of a document without its hash, independent of the order of fields and the notation. */
export function contentHash(document: Readonly<Record<string, unknown>>): string {
  const { hash: _own, ...content } = document;
  return `sha256:${createHash('sha256').update(canonical(content)).digest('hex')}`;
}

/** JSON with the keys of each object in order; what is undefined is left out. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`);
  return `{${fields.join(',')}}`;
}

import { createHash } from 'node:crypto';
import type { DoctrineBody } from '../../model/doctrine.ts';

/** Hash of the content of a document without its hash, independent of the order of fields and the notation. */
export function contentHash(document: Readonly<Record<string, unknown>>): string {
  const { hash: _own, ...content } = document;
  return `sha256:${createHash('sha256').update(canonical(content)).digest('hex')}`;
}

/**
 * Hash of the parts of a doctrine that people write: postures, release table, rules and planning profiles. Texts of
 * rules belong to the build and are left out. Lists are sorted first, except where their order matters (matrices and
 * profiles).
 */
export function doctrineHash({ postures, release_table, rules, planning_profiles }: DoctrineBody): string {
  return contentHash({
    postures: sortedBy(postures, ({ id }) => id),
    release_table: sortedBy(release_table, ({ response }) => response),
    rules: sortedBy(rules, ({ id }) => id).map(({ id, severity, enabled }) => ({ id, severity, enabled })),
    planning_profiles,
  });
}

function sortedBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[] {
  return rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** JSON with the keys of each object in order; undefined fields are left out. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`);
  return `{${fields.join(',')}}`;
}

import { createHash } from 'node:crypto';
import type { DoctrineBody } from '../../model/doctrine.ts';

/**
 * Computes the hash of a document's content without its field `hash`. The order of fields and the notation (YAML or
 * JSON) do not affect the hash.
 */
export function contentHash(document: Readonly<Record<string, unknown>>): string {
  const { hash: _own, ...content } = document;
  return `sha256:${createHash('sha256').update(canonical(content)).digest('hex')}`;
}

/**
 * Computes the hash of the parts of a doctrine that people write: postures, release table, rules and planning profiles.
 * Descriptions of rules are left out, because they belong to the build. Postures, release table and rules are sorted
 * first. The order of all other lists counts, for example that of matrices and profiles.
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

/** Formats a value as JSON with sorted keys; undefined fields are left out. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`);
  return `{${fields.join(',')}}`;
}

/**
 * Compares two JSON values without serialising them, because thousands of rows a second are compared. An undefined
 * field counts as absent, and the order of fields does not matter.
 */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b) || (a === 0 && b === 0)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && sameItems(a, b);
  return sameFields(a as Record<string, unknown>, b as Record<string, unknown>);
}

/** A field's own value: a field may be named like an inherited property, for example `constructor`. */
function ownOf(value: Record<string, unknown>, field: string): unknown {
  return Object.hasOwn(value, field) ? value[field] : undefined;
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, i) => sameJson(item, b[i]));
}

function sameFields(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  for (const field in a) if (!sameJson(a[field], ownOf(b, field))) return false;
  for (const field in b) if (b[field] !== undefined && ownOf(a, field) === undefined) return false;
  return true;
}

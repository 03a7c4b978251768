/**
 * Compares two JSON values. It does not serialise them, because thousands of rows are compared each second. An
 * undefined field counts as absent; the order of fields does not matter.
 */
export function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b) || (a === 0 && b === 0)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && sameItems(a, b);
  return sameFields(a as Record<string, unknown>, b as Record<string, unknown>);
}

/** Returns an own field of an object, never an inherited one: a field may have a name such as `constructor`. */
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

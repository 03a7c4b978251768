/** Limits of free-form keys of a row: 64 KiB of JSON, 16 levels deep. */
export const FREE_FORM_BYTES = 64 * 1024;
export const FREE_FORM_DEPTH = 16;

/**
 * Whether a free-form object is within the limits. A number too large for a double becomes infinity when parsed, and is
 * refused because it would be stored as null.
 */
export function isBounded(value: unknown): boolean {
  return isShallow(value, FREE_FORM_DEPTH) && Buffer.byteLength(JSON.stringify(value) ?? '') <= FREE_FORM_BYTES;
}

export const freeFormRule = 'must be at most 64 KiB of JSON and 16 levels deep, of numbers below 1.8e308';

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((entry) => isShallow(entry, depth - 1));
}

/** Limits of a row's free-form keys: 64 KiB of JSON, and 16 levels of nesting. */
export const FREE_FORM_BYTES = 64 * 1024;
export const FREE_FORM_DEPTH = 16;

/**
 * Returns true if a free-form object is within the limits. A number too large for a double is parsed as infinity. Such
 * a number is refused, because JSON would store it as null.
 */
export function isBounded(value: unknown): boolean {
  return isShallow(value, FREE_FORM_DEPTH) && Buffer.byteLength(JSON.stringify(value) ?? '') <= FREE_FORM_BYTES;
}

export const freeFormRule = 'must have at most 64 KiB of JSON and 16 levels, and only numbers below 1.8e308';

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((entry) => isShallow(entry, depth - 1));
}

/** Matches a text that a spreadsheet would evaluate as a formula, with or without apostrophes before it. */
export const formula = /^'*[=+\-@\t\r]/;

/**
 * Formats a text as a CSV cell (RFC 4180). A text that matches `formula` gets a leading apostrophe, which an import
 * removes again.
 */
export function csvCell(value: string | null): string {
  if (value === null) return '';
  const safe = formula.test(value) ? `'${value}` : value;
  return /[",\r\n;]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Matches cells that a spreadsheet would evaluate as a formula, including those already prefixed with apostrophes. */
export const formula = /^'*[=+\-@\t\r]/;

/**
 * Formats a text as a CSV cell (RFC 4180). A text that a spreadsheet would evaluate as a formula gets a leading
 * apostrophe.
 */
export function csvCell(value: string | null): string {
  if (value === null) return '';
  const safe = formula.test(value) ? `'${value}` : value;
  return /[",\r\n;]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Cells that a spreadsheet would take for a formula, also behind the apostrophes that prevent this. */
export const formula = /^'*[=+\-@\t\r]/;

/** A text as a CSV cell (RFC 4180). A text that a spreadsheet would take for a formula gets a leading apostrophe. */
export function csvCell(value: string | null): string {
  if (value === null) return '';
  const safe = formula.test(value) ? `'${value}` : value;
  return /[",\r\n;]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

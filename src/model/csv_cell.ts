/** Cells that a spreadsheet would take for a formula, behind any number of the apostrophes that prevent it. */
export const formula = /^'*[=+\-@\t\r]/;

/** A text as a CSV cell (RFC 4180) that no spreadsheet takes for a formula: such a one begins with an apostrophe. */
export function csvCell(value: string | null): string {
  if (value === null) return '';
  const safe = formula.test(value) ? `'${value}` : value;
  return /[",\r\n;]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Cells that a spreadsheet would take for a formula, behind any number of the apostrophes that prevent it. */
export const formula = /^'*[=+\-@\t\r]/;

/**
 * Rows as CSV (RFC 4180) that a spreadsheet opens without harm: a cell that it would take for a formula begins with an
 * apostrophe. `readCsv` takes it off again.
 */
export function writeCsv(header: readonly string[], rows: Iterable<readonly (string | null)[]>): string {
  const lines = [header.join(',')];
  for (const row of rows) lines.push(row.map(cellText).join(','));
  return `${lines.join('\r\n')}\r\n`;
}

function cellText(value: string | null): string {
  if (value === null) return '';
  const safe = formula.test(value) ? `'${value}` : value;
  return /[",\r\n;]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

import { csvCell } from '../model/csv_cell.ts';

/**
 * Rows as CSV (RFC 4180). A cell that a spreadsheet would take for a formula gets a leading apostrophe, so that opening
 * the file does no harm. `readCsv` removes the apostrophe.
 */
export function writeCsv(header: readonly string[], rows: Iterable<readonly (string | null)[]>): string {
  const lines = [header.join(',')];
  for (const row of rows) lines.push(row.map(csvCell).join(','));
  return `${lines.join('\r\n')}\r\n`;
}

import { csvCell } from '../model/csv_cell.ts';

/**
 * Formats rows as CSV (RFC 4180). A cell that a spreadsheet would evaluate as a formula gets a leading apostrophe, so
 * that the file is safe to open. `readCsv` removes this apostrophe.
 */
export function writeCsv(header: readonly string[], rows: Iterable<readonly (string | null)[]>): string {
  const lines = [header.join(',')];
  for (const row of rows) lines.push(row.map(csvCell).join(','));
  return `${lines.join('\r\n')}\r\n`;
}

import { csvCell } from '../model/csv_cell.ts';

/**
 * Rows as CSV (RFC 4180) that a spreadsheet opens without harm: a cell that it would take for a formula begins with an
 * apostrophe. `readCsv` takes it off again.
 */
export function writeCsv(header: readonly string[], rows: Iterable<readonly (string | null)[]>): string {
  const lines = [header.join(',')];
  for (const row of rows) lines.push(row.map(csvCell).join(','));
  return `${lines.join('\r\n')}\r\n`;
}

import { Fault } from '../model/fault.ts';

/** What a spreadsheet would take for a formula, behind any number of the marks that make it none. */
const formula = /^'*[=+\-@\t\r]/;

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

export type CsvRow = { row: number; cells: Map<string, string> };

/**
 * The rows of a CSV text by the names of its header, counted from 1 without it; empty lines are none. Columns are parted
 * by commas, or by semicolons where the header has those alone. Throws `invalid_input` where the text is no CSV, has
 * columns that are not among `known`, or lacks one of `needed`.
 */
export function readCsv(text: string, known: readonly string[], needed: readonly string[]): CsvRow[] {
  const end = text.search(/[\r\n]/);
  const head = end < 0 ? text : text.slice(0, end);
  const [header = [], ...lines] = recordsOf(text, head.includes(';') && !head.includes(',') ? ';' : ',');
  const names = header.map((name) => name.trim().toLowerCase());
  const stranger = names.find((name) => !known.includes(name));
  if (stranger !== undefined) {
    throw new Fault(
      'invalid_input',
      `the column '${stranger.slice(0, 60)}' is not known; there are ${known.join(', ')}`,
    );
  }
  const missing = needed.find((name) => !names.includes(name));
  if (missing !== undefined) throw new Fault('invalid_input', `the header has no column '${missing}'`);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Fault('invalid_input', `the header has the column '${twice}' twice`);
  return lines.map((cells, at) => ({ row: at + 1, cells: named(names, cells) }));
}

function named(names: readonly string[], cells: readonly string[]): Map<string, string> {
  const plain = (cell: string): string => (formula.test(cell) && cell.startsWith("'") ? cell.slice(1) : cell);
  return new Map(cells.flatMap((cell, at) => (cell === '' ? [] : [[names[at] ?? `column ${at + 1}`, plain(cell)]])));
}

/** Records of cells. A quote that is never closed, or that stands within a cell, is no CSV. */
function recordsOf(text: string, comma: string): string[][] {
  const records: string[][] = [];
  let cells: string[] = [];
  let at = 0;
  const close = (cell: string): void => {
    cells.push(cell);
    if (at < text.length && text[at] === comma) {
      at++;
      if (at === text.length || text[at] === '\n' || text[at] === '\r') close('');
      return;
    }
    if (text.startsWith('\r\n', at)) at += 2;
    else if (at < text.length) at++;
    if (cells.some((entry) => entry !== '')) records.push(cells);
    cells = [];
  };
  while (at < text.length) {
    const read = text[at] === '"' ? quoted(text, at, records.length) : bare(text, at, comma);
    at = read.end;
    close(read.cell);
  }
  return records;
}

function bare(text: string, from: number, comma: string): { cell: string; end: number } {
  let end = from;
  while (end < text.length && text[end] !== comma && text[end] !== '\n' && text[end] !== '\r') end++;
  return { cell: text.slice(from, end), end };
}

function quoted(text: string, from: number, row: number): { cell: string; end: number } {
  let cell = '';
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) throw new Fault('invalid_input', `the body is no CSV: a quote of row ${row} is never closed`);
    cell += text.slice(at, quote);
    if (text[quote + 1] !== '"') {
      if (!/[,;\r\n]/.test(text[quote + 1] ?? '\n')) {
        throw new Fault('invalid_input', `the body is no CSV: something follows a closed quote of row ${row}`);
      }
      return { cell, end: quote + 1 };
    }
    cell += '"';
    at = quote + 2;
  }
}

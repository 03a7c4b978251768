import { formula } from '../model/csv_cell.ts';
import { Fault, invalidInput } from '../model/fault.ts';

/** Row of a CSV text: its cells by column name. `error` is the reason why the row is invalid, or null. */
type CsvRow = { row: number; cells: Map<string, string>; error: string | null };

/** Limits of the cells in a row and of the characters in a cell. Tables that people make stay far below them. */
const MOST_CELLS = 64;
const MOST_CHARS = 4 * 1024;

type Shape = { known: readonly string[]; needed: readonly string[]; mostRows: number };

/**
 * Parses a CSV text with a header. Rows are numbered from 1, without the header; empty lines are skipped. Columns are
 * separated by commas, or by semicolons if the header has no comma. Throws `invalid_input` if the text is not CSV, has
 * a column that is not in `known`, or lacks one of `needed`. Throws `too_large` at the first row beyond `mostRows`,
 * without reading further.
 */
export function readCsv(text: string, { known, needed, mostRows }: Shape): CsvRow[] {
  const [head = ''] = text.trimStart().split(/[\r\n]/, 1);
  const records = recordsOf(text, head.includes(';') && !head.includes(',') ? ';' : ',');
  const header = firstWritten(records);
  const names = header.map((name) => name.trim().toLowerCase());
  refuseHeader(names, known, needed);
  const rows: CsvRow[] = [];
  let lines = 0;
  for (const cells of records) {
    const isEmpty = cells.every((cell) => cell === '');
    // Spreadsheets write lines of only commas below a table. They do not count as rows, but their number is limited
    // too.
    if (rows.length + (isEmpty ? 0 : 1) > mostRows || ++lines > 2 * mostRows) {
      throw new Fault(
        'too_large',
        `a request may have at most ${mostRows} rows, and at most ${2 * mostRows} with the empty ones`,
      );
    }
    if (!isEmpty) rows.push(rowOf(rows.length + 1, names, cells));
  }
  return rows;
}

function refuseHeader(names: readonly string[], known: readonly string[], needed: readonly string[]): void {
  const stranger = names.find((name) => !known.includes(name));
  if (stranger !== undefined) {
    throw invalidInput(`the column '${stranger.slice(0, 60)}' is not known; the known columns are ${known.join(', ')}`);
  }
  const missing = needed.find((name) => !names.includes(name));
  if (missing !== undefined) throw invalidInput(`the header has no column '${missing}'`);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw invalidInput(`the header has the column '${twice}' twice`);
}

/** Returns the header: the first line with a cell that is not empty. Empty if the first 100 lines have no such cell. */
function firstWritten(records: Iterator<string[]>): string[] {
  for (let line = 0; line < 100; line++) {
    const { value, done } = records.next();
    if (done) return [];
    if (value.some((cell: string) => cell !== '')) return value;
  }
  return [];
}

function rowOf(row: number, names: readonly string[], cells: readonly string[]): CsvRow {
  const plain = (cell: string): string => (formula.test(cell) && cell.startsWith("'") ? cell.slice(1) : cell);
  const read = new Map(names.flatMap((name, at) => (cells[at] ? [[name, plain(cells[at])] as const] : [])));
  const isLonger = cells.slice(names.length).some((cell) => cell !== '');
  const error = isLonger ? `the row has ${cells.length} cells; the header names ${names.length} columns` : null;
  return { row, cells: read, error };
}

/**
 * Yields the cells of one record after the other. Throws if a quote is not closed, if other text follows a closing
 * quote, or if a record exceeds `MOST_CELLS` or a cell `MOST_CHARS`.
 */
function* recordsOf(text: string, comma: string): Generator<string[]> {
  const ends = comma === ';' ? /[;\r\n]/g : /[,\r\n]/g;
  const lineEnds = /[\r\n]*/y;
  let row = 0;
  let at = skipLineEnds(text, 0, lineEnds);
  while (at < text.length) {
    const cells: string[] = [];
    for (;;) {
      const read = text[at] === '"' ? quoted(text, at, row) : bare(text, at, ends);
      refuseLong(read.cell.length, row);
      if (cells.push(read.cell) > MOST_CELLS) {
        throw invalidInput(`${nameOf(row)} has more than ${MOST_CELLS} cells`);
      }
      at = read.end;
      if (text[at] !== comma) break;
      at++;
    }
    at = skipLineEnds(text, at, lineEnds);
    yield cells;
    row++;
  }
}

function skipLineEnds(text: string, from: number, lineEnds: RegExp): number {
  lineEnds.lastIndex = from;
  lineEnds.test(text);
  return lineEnds.lastIndex;
}

function bare(text: string, from: number, ends: RegExp): { cell: string; end: number } {
  ends.lastIndex = from;
  const end = ends.exec(text)?.index ?? text.length;
  return { cell: text.slice(from, end), end };
}

function quoted(text: string, from: number, row: number): { cell: string; end: number } {
  let cell = '';
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) throw invalidInput(`the body is not CSV: a quote of ${nameOf(row)} is never closed`);
    cell += text.slice(at, quote);
    refuseLong(cell.length, row);
    if (text[quote + 1] !== '"') {
      if (!/[,;\r\n]/.test(text[quote + 1] ?? '\n')) {
        throw invalidInput(`the body is not CSV: text follows the closed quote of ${nameOf(row)}`);
      }
      return { cell, end: quote + 1 };
    }
    cell += '"';
    at = quote + 2;
  }
}

function refuseLong(chars: number, row: number): void {
  if (chars > MOST_CHARS) {
    throw invalidInput(`a cell of ${nameOf(row)} is longer than ${MOST_CHARS} characters`);
  }
}

function nameOf(row: number): string {
  return row === 0 ? 'the header' : `row ${row}`;
}

import fc from 'fast-check';
import t from 'tap';
import { writeCsv } from '../../src/http/csv.ts';
import { readCsv as read } from '../../src/http/csv_read.ts';
import { Fault } from '../../src/model/fault.ts';
import { seedOf } from '../support/basics/seed.ts';
import { sized } from '../support/basics/size.ts';

const columns = ['name', 'serial', 'model'];
const readCsv = (text: string, known: string[], needed: string[]) => read(text, { known, needed, mostRows: 10_000 });
const cell = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(...'"\',;=+-@\t\r\n a'), maxLength: 8 }),
);

t.test('whatever stands in a cell is read again as it was, and opens in a spreadsheet as no formula', async (t) => {
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell, cell), { maxLength: 8 }), (rows) => {
      const text = writeCsv(columns, rows);
      const read = readCsv(text, columns, ['name']).map(({ cells }) => columns.map((name) => cells.get(name) ?? ''));
      const full = rows.filter((row) => row.some((entry) => entry !== ''));
      if (JSON.stringify(read) !== JSON.stringify(full)) return false;
      return !/(^|[,\r\n])"?[=+\-@\t]/.test(
        writeCsv(
          columns,
          rows.map((row) => row.map((one) => one.replaceAll(/[",;\r\n]/g, ''))),
        ),
      );
    }),
    { seed: seedOf(t), numRuns: sized(2_000) },
  );
});

t.test('any text is rows or one sentence, at once', async (t) => {
  const text = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc.string({ unit: fc.constantFrom(...'name,serial"\r\n;', 'name,serial\r\n'), maxLength: 60 }),
  );
  fc.assert(
    fc.property(text, (text) => {
      try {
        return Array.isArray(readCsv(text, columns, ['name']));
      } catch (thrown) {
        return thrown instanceof Fault && thrown.code === 'invalid_input';
      }
    }),
    { seed: seedOf(t), numRuns: sized(3_000) },
  );
});

t.test(
  'as spreadsheets write it: semicolons, other ends of lines, quotes, empty lines, columns in any order',
  async (t) => {
    const rows = readCsv('Serial;NAME\n"1;2";"say ""hi"""\r\n\r\n;b\n', columns, ['name']);
    t.same(
      rows.map(({ row, cells }) => [row, Object.fromEntries(cells)]),
      [
        [1, { serial: '1;2', name: 'say "hi"' }],
        [2, { name: 'b' }],
      ],
    );
    const refusals: [string, RegExp][] = [
      ['serial\n1', /no column 'name'/],
      ['name,wings\n1', /'wings' is not known/],
      ['name,name\n1', /twice/],
      ['name\n"open', /never closed/],
      ['name\n"a"b', /closed quote of row 1/],
    ];
    for (const [text, sentence] of refusals)
      t.throws(() => readCsv(text, columns, ['name']), { message: sentence }, text);
  },
);

t.test('no text keeps the reader long: it ends at the first row, cell or character too many', async (t) => {
  const size = 4 * 1024 * 1024;
  const repeated = (head: string, part: string): string => head + part.repeat(size / part.length);
  const texts: [string, string, RegExp | null][] = [
    ['commas', repeated('', ','), /header has more than 64 cells/],
    ['commas in a row', repeated('name\n', ','), /row 1 has more than 64 cells/],
    ['empty lines', repeated('name\n', '\n'), null],
    ['lines of commas', repeated('name,model\n', ',\n'), /at most 10000 rows/],
    ['lines of commas alone', repeated('', ',\n'), /no column 'name'/],
    ['short rows', repeated('name\n', 'a\n'), /at most 10000 rows/],
    ['a long cell', repeated('name\n', 'a'), /cell of row 1 is longer than 4096/],
    ['a long quoted cell', `${repeated('name\n"', 'a')}"`, /cell of row 1 is longer than 4096/],
    ['doubled quotes', `${repeated('name\n"', '""')}"`, /cell of row 1 is longer than 4096/],
    ['quotes', repeated('name\n', '"'), /cell of row 1 is longer than 4096/],
    ['an open quote', repeated('name\n"', 'a'), /never closed/],
    ['carriage returns', repeated('name\r', '\r'), null],
  ];
  for (const [name, text, sentence] of texts) {
    const beganMs = performance.now();
    if (sentence === null) t.same(readCsv(text, columns, ['name']), [], name);
    else t.throws(() => readCsv(text, columns, ['name']), { message: sentence }, name);
    t.ok(performance.now() - beganMs < 1_000, `${name}: ${performance.now() - beganMs} ms`);
  }
  t.equal(readCsv(repeated('name\n', 'a\n').slice(0, 5 + 2 * 10_000), columns, ['name']).length, 10_000);
});

t.test('a row that is longer than its header says so; cells that are empty are none', async (t) => {
  const rows = readCsv('name,serial\na,b,,\nc,d,e,f\n', columns, ['name']);
  t.match(rows, [{ error: null }, { error: 'the row has 4 cells; the header names 2 columns' }]);
});

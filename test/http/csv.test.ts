import fc from 'fast-check';
import t from 'tap';
import { readCsv, writeCsv } from '../../src/http/csv.ts';
import { Fault } from '../../src/model/fault.ts';
import { seedOf } from '../support/seed.ts';

const columns = ['name', 'serial', 'model'];
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
    { seed: seedOf(t), numRuns: 2_000 },
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
    { seed: seedOf(t), numRuns: 3_000 },
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

import fc from 'fast-check';
import t from 'tap';
import { assign, type Pair } from '../../../src/sim/score/assignment.ts';
import { seedOf } from '../../support/basics/seed.ts';
import { sized } from '../../support/basics/size.ts';

const ALONE = 100;

/** The least sum there is, by trying all. */
function leastOf(rows: readonly (readonly Pair[])[], at = 0, taken: ReadonlySet<number> = new Set()): number {
  const row = rows[at];
  if (!row) return 0;
  let least = ALONE + leastOf(rows, at + 1, taken);
  for (const { column, cost } of row)
    if (!taken.has(column)) least = Math.min(least, cost + leastOf(rows, at + 1, new Set([...taken, column])));
  return least;
}

function priceOf(rows: readonly (readonly Pair[])[], columnOf: Int32Array): number {
  return rows.reduce((sum, row, i) => sum + (row.find(({ column }) => column === columnOf[i])?.cost ?? ALONE), 0);
}

const pair = fc.record({
  column: fc.nat(5),
  cost: fc.oneof(fc.nat(ALONE), fc.double({ min: 0, max: ALONE, noNaN: true })),
});
const row = fc.uniqueArray(pair, { maxLength: 6, selector: ({ column }) => column });

t.test('no assignment is cheaper, and no column is given twice', (t) => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 6 }), (rows) => {
      const columnOf = assign({ rows, columns: 6 }, ALONE);
      const given = [...columnOf].filter((column) => column >= 0);
      const real = rows.every((row, i) => columnOf[i] === -1 || row.some(({ column }) => column === columnOf[i]));
      const cheap = Math.abs(priceOf(rows, columnOf) - leastOf(rows)) < 1e-9;
      return real && cheap && new Set(given).size === given.length;
    }),
    { seed: seedOf(t), numRuns: sized(500) },
  );
  t.end();
});

t.test('a thousand beside a thousand, all near each other, take no time worth telling', (t) => {
  const rows = Array.from({ length: 1_000 }, (_, i) =>
    Array.from({ length: 60 }, (_, k) => ({ column: (i + k * 7) % 1_000, cost: ((i * 31 + k * 17) % 97) + 1 })),
  );
  const beginMs = performance.now();
  const columnOf = assign({ rows, columns: 1_000 }, ALONE);
  const tookMs = performance.now() - beginMs;
  t.equal(new Set(columnOf).size, 1_000);
  t.ok(tookMs < 2_000, `${tookMs.toFixed(0)} ms`);
  t.comment(`${tookMs.toFixed(0)} ms`);
  t.end();
});

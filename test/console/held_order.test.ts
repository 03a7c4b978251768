import t from 'tap';
import { inHeldOrder, keptRows } from '../../src/console/state/held_order.ts';

const self = (row: string): string => row;

t.test('rows keep their places in a held order, and new rows come at the end', async (t) => {
  t.same(inHeldOrder(['new', 'c', 'a', 'newer', 'b'], self, ['a', 'b', 'c']), ['a', 'b', 'c', 'new', 'newer']);
  t.same(inHeldOrder(['c', 'a'], self, ['a', 'b', 'c']), ['a', 'c'], 'a row that ended leaves the list');
});

t.test('a held order keeps places, not values', async (t) => {
  const rows = [
    { id: 'b', score: 90 },
    { id: 'a', score: 10 },
  ];
  t.same(
    inHeldOrder(rows, ({ id }) => id, ['a', 'b']),
    [
      { id: 'a', score: 10 },
      { id: 'b', score: 90 },
    ],
  );
});

t.test('a row that ends under the finger stays at its place, marked, and gives it back to none', async (t) => {
  const shape = (rows: string[], before: string[]): string =>
    keptRows(rows, self, before)
      .map(({ row, isOver }) => `${row}${isOver ? '!' : ''}`)
      .join(' ');
  t.equal(shape(['new', 'c', 'a'], ['a', 'b', 'c']), 'a b! c new');
  t.equal(shape(['c', 'a'], []), 'c a', 'nothing is held');
});

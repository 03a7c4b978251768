import fc from 'fast-check';
import t from 'tap';
import { CountedRows } from '../../src/picture/counted_rows.ts';
import { seedOf } from '../support/basics/seed.ts';

type Row = { id: string; state: string; rx_msgs: number };
type Turn = { state: string; rx_msgs: number };

const turns = fc.array(fc.record({ state: fc.constantFrom('open', 'backoff'), rx_msgs: fc.nat(3) }), {
  minLength: 12,
  maxLength: 60,
});

/** Runs one row through a turn a second; gives the row that each turn published, or null. */
function published(given: readonly Turn[]): (Row | null)[] {
  const rows = new CountedRows<Row>(['rx_msgs']);
  return given.map((turn, second) => {
    const row = { id: 'gate', ...turn };
    return rows.take(row, second * 1_000) ? row : null;
  });
}

t.test('a change beside the counters is published in its second', async (t) => {
  const seed = seedOf(t);
  fc.assert(
    fc.property(turns, (given) => {
      const out = published(given);
      return given.every((turn, i) => turn.state === given[i - 1]?.state || out[i] !== null);
    }),
    { seed },
  );
});

t.test('counters alone are published every 5 s at most, and the last ones 5 s later', async (t) => {
  const seed = seedOf(t);
  fc.assert(
    fc.property(turns, (given) => {
      const last = given.at(-1) as Turn;
      const out = published([...given, ...Array.from({ length: 5 }, () => last)]);
      const shown = out.flatMap((row, second) => (row === null ? [] : [{ row, second }]));
      const isApart = shown.every(({ row, second }, i) => {
        const before = shown[i - 1];
        return before === undefined || before.row.state !== row.state || second - before.second >= 5;
      });
      return isApart && shown.at(-1)?.row.rx_msgs === last.rx_msgs;
    }),
    { seed },
  );
});

t.test('what did not change is not published, and a clock that was set back holds nothing', async (t) => {
  const rows = new CountedRows<Row>(['rx_msgs']);
  const row = { id: 'gate', state: 'open', rx_msgs: 1 };
  t.ok(rows.take(row, 100_000));
  t.notOk(rows.take({ ...row }, 200_000));
  t.ok(rows.take({ ...row, rx_msgs: 2 }, 1_000));
  t.same(rows.rows(), [{ ...row, rx_msgs: 2 }]);
  t.ok(rows.delete('gate'));
  t.same(rows.ids(), []);
});

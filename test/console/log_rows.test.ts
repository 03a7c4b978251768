import t from 'tap';
import { windowOf, withNewest, withPage } from '../../src/console/state/log_rows.ts';
import { type LogEvent, unattended } from '../../src/model/event.ts';

const rowAt = (clock: string): LogEvent => ({
  ...unattended,
  ...{ id: clock, seq: 1, at: `2026-06-01T${clock}Z`, kind: 'track.new', severity: 'notice', text: 'a track' },
  subject: null,
});
const ids = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

t.test('a page of older rows comes in front, without rows that are known', async (t) => {
  const known = [rowAt('10:00:02'), rowAt('10:00:03')];
  const page = { rows: [rowAt('10:00:02'), rowAt('10:00:01'), rowAt('10:00:00')], cursor: null };
  t.same(ids(withPage(known, page)), ['10:00:00', '10:00:01', '10:00:02', '10:00:03']);
});

t.test('a view of the log ends with the chosen row, and knows the row before it', async (t) => {
  const rows = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }));
  t.match(windowOf(rows, null, 2), { shown: [{ id: 'd' }, { id: 'e' }], before: { id: 'c' }, isNewest: true });
  t.match(windowOf(rows, 'c', 2), { shown: [{ id: 'b' }, { id: 'c' }], before: { id: 'a' }, isNewest: false });
  t.match(windowOf(rows, 'b', 2), { shown: [{ id: 'a' }, { id: 'b' }], before: null, isNewest: false });
  t.match(windowOf(rows, 'gone', 2), { shown: [{ id: 'd' }, { id: 'e' }], isNewest: true });
});

t.test(
  'the newest page continues the rows that were read, and begins anew where rows between are missing',
  async (t) => {
    const held = { epoch: 'e', rows: [rowAt('10:00:00'), rowAt('10:00:01')], isWhole: true };
    const next = { rows: [rowAt('10:00:03'), rowAt('10:00:02'), rowAt('10:00:01')], cursor: 'more' };
    const after = withNewest(held, next, 'e');
    t.same([ids(after.rows), after.isWhole], [['10:00:00', '10:00:01', '10:00:02', '10:00:03'], true]);
    const far = withNewest(held, { rows: [rowAt('10:09:00')], cursor: 'more' }, 'e');
    t.same([ids(far.rows), far.isWhole], [['10:09:00'], false], 'rows between are missing');
    const other = withNewest(held, { rows: [rowAt('10:00:01')], cursor: null }, 'f');
    t.same([other.epoch, ids(other.rows), other.isWhole], ['f', ['10:00:01'], true], 'another world');
  },
);

import t from 'tap';
import { NONE_UNSEEN, UnseenRows } from '../../src/console/state/unseen_rows.ts';

const row = (isInView: boolean | null, ...keys: string[]) => ({ keys, isInView });

t.test('what comes below the rows in view is named until it was in view', async (t) => {
  const rows = new UnseenRows();
  t.same(rows.look([row(true, 'a:critical'), row(true)], NONE_UNSEEN).keys, []);
  const swarm = rows.look([row(true, 'a:critical'), row(true), row(false, 'b:high', 'c:high')], NONE_UNSEEN);
  t.same(swarm, { keys: ['b:high', 'c:high'], firstRow: 2, isBelow: true, isAbove: false });
  t.equal(rows.look([row(true, 'a:critical'), row(true), row(false, 'b:high', 'c:high')], swarm), swarm, 'unchanged');
  t.same(rows.look([row(false, 'a:critical'), row(true), row(true, 'b:high', 'c:high')], swarm).keys, []);
  t.same(rows.look([row(true, 'a:critical'), row(true), row(false, 'b:high', 'c:high')], NONE_UNSEEN).keys, []);
});

t.test('a row that was just drawn is not named before it is known whether it is in view', async (t) => {
  const rows = new UnseenRows();
  t.same(rows.look([row(null, 'a:high'), row(null, 'b:high')], NONE_UNSEEN), NONE_UNSEEN);
  t.same(rows.look([row(true, 'a:high'), row(false, 'b:high')], NONE_UNSEEN).keys, ['b:high']);
  t.same(rows.look([row(null, 'a:high'), row(true, 'b:high')], NONE_UNSEEN), NONE_UNSEEN);
  t.same(rows.look([row(false, 'a:high'), row(true, 'b:high')], NONE_UNSEEN), NONE_UNSEEN, 'it was seen before');
});

t.test('a row that became worse counts as not seen, and one that ended counts for nothing', async (t) => {
  const rows = new UnseenRows();
  rows.look([row(true, 'a:high'), row(true)], NONE_UNSEEN);
  const worse = rows.look([row(false, 'a:critical'), row(true)], NONE_UNSEEN);
  t.same(worse, { keys: ['a:critical'], firstRow: 0, isBelow: false, isAbove: true });
  t.same(rows.look([row(true)], worse), NONE_UNSEEN);
  t.same(rows.look([row(true), row(false, 'a:critical')], NONE_UNSEEN).keys, ['a:critical'], 'it came again');
});

t.test('a key that is always named is named whenever its row is out of view', async (t) => {
  const rows = new UnseenRows((key) => key.endsWith(':critical'));
  t.same(rows.look([row(true, 'a:critical'), row(true, 'b:high')], NONE_UNSEEN).keys, []);
  t.same(rows.look([row(false, 'a:critical'), row(false, 'b:high'), row(true)], NONE_UNSEEN).keys, ['a:critical']);
  t.same(rows.look([row(true, 'a:critical'), row(false, 'b:high'), row(true)], NONE_UNSEEN).keys, []);
});

t.test('a person is led to the most urgent row, and among equals to the next one below the view', async (t) => {
  const rankOf = (key: string): number => (key.endsWith(':critical') ? 1 : 0);
  const rows = new UnseenRows(() => true, rankOf);
  const found = rows.look(
    [row(false, 'a:notice'), row(true, 'b:notice'), row(false, 'c:notice'), row(false, 'd:critical')],
    NONE_UNSEEN,
  );
  t.same(found, { keys: ['a:notice', 'c:notice', 'd:critical'], firstRow: 3, isBelow: true, isAbove: true });
  const equals = rows.look([row(false, 'a:notice'), row(true, 'b:notice'), row(false, 'c:notice')], NONE_UNSEEN);
  t.equal(equals.firstRow, 2);
});

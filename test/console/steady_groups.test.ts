import t from 'tap';
import { SteadyGroups } from '../../src/console/state/steady_groups.ts';

const of = (group: string | null) => new Map([['a', group]]);

t.test('a track stays in the group that it left for a moment, and changes groups at once', async (t) => {
  const groups = new SteadyGroups();
  t.equal(groups.take(of('s'), false, 0).get('a'), 's');
  t.equal(groups.take(of(null), false, 9_000).get('a'), 's');
  t.equal(groups.take(of('s'), false, 9_500).get('a'), 's', 'it is back');
  t.equal(groups.take(of(null), false, 19_000).get('a'), 's', 'the time begins anew');
  t.equal(groups.take(of(null), false, 19_600).get('a'), null);
  t.equal(groups.take(of('r'), false, 19_700).get('a'), 'r');
  t.equal(groups.take(of('s'), false, 19_800).get('a'), 's');
});

t.test('while the order is held, each track keeps its group', async (t) => {
  const groups = new SteadyGroups();
  groups.take(of(null), false, 0);
  t.equal(groups.take(of('s'), true, 60_000).get('a'), null);
  t.equal(groups.take(of('s'), false, 60_100).get('a'), 's');
  t.equal(groups.take(of('r'), true, 120_000).get('a'), 's');
});

import t from 'tap';
import { foldSwarms, type ThreatRow } from '../../src/console/state/rank.ts';
import type { Threat } from '../../src/model/threat.ts';
import type { Track } from '../../src/model/track.ts';

const row = (id: string, group: string | null, dismissed = false, more: Partial<Threat> = {}): ThreatRow => ({
  threat: { track_id: id, dismissed: dismissed ? {} : null, nearest_zone: null, ...more } as Threat,
  track: { id, group_id: group } as Track,
});
const shape = (rows: readonly ThreatRow[]): string[] =>
  foldSwarms(rows).map(({ first, others }) => [first, ...others].map(({ track }) => track.id).join('+'));

t.test('threats that fly together are one row, at the place of the first, and none is lost', async (t) => {
  t.same(shape([row('a', 's'), row('b', null), row('c', 's'), row('d', 'r'), row('e', null), row('f', 's')]), [
    'a+c+f',
    'b',
    'd',
    'e',
  ]);
  t.same(shape([row('a', 's'), row('b', 's', true)]), ['a', 'b'], 'a dismissed one stays alone');
  const inside = { level: 'critical', nearest_zone: { inside: true } } as Partial<Threat>;
  t.same(
    shape([row('a', 's'), row('b', 's', false, inside), row('c', 's')]),
    ['a+c', 'b'],
    'nor is one critical inside',
  );
});

import t from 'tap';
import { type AlertFold, countSeverities, floodOf, foldAlerts } from '../../src/console/state/alert_folds.ts';
import type { Alert } from '../../src/model/alert.ts';

type Part = Partial<Alert> & { group?: string };
const alertOf = (id: string, { group, ...more }: Part = {}): Alert =>
  ({
    ...{ id, state: 'active', acknowledged: null, severity: 'warning', raised_at: '2026-06-01T10:00:00.000Z' },
    ...{ track_ids: group === undefined ? [] : [group] },
    ...more,
  }) as Alert;
/** Here an alert has the group of its only track's name. */
const groupOf = ({ track_ids: [trackId] }: Alert): string | null => trackId ?? null;
const shape = (folds: readonly AlertFold[]): string[] =>
  folds.map(({ first, others }) => [first, ...others].map(({ id }) => id).join('+'));
const acknowledged = { by: 'anna', at: '2026-06-01T10:00:00.000Z', note: null };

t.test('alerts of one swarm are one row at the place of the first, and none is lost', async (t) => {
  const alerts = [
    alertOf('a', { group: 's', severity: 'critical' }),
    alertOf('b'),
    alertOf('c', { group: 's' }),
    alertOf('d', { group: 'r' }),
    alertOf('e', { group: 's', severity: 'notice' }),
    alertOf('f', { group: 's', state: 'cleared' }),
    alertOf('g', { state: 'cleared' }),
    alertOf('h', { group: 's', acknowledged }),
  ];
  const folds = foldAlerts(alerts, groupOf, null);
  t.same(shape(folds), ['a+c+e', 'b', 'd', 'f+g', 'h']);
  t.same(countSeverities(folds[0]?.others ?? []), [
    { severity: 'warning', count: 1 },
    { severity: 'notice', count: 1 },
  ]);
});

t.test('no critical alert is hidden below another', async (t) => {
  const alerts = [
    alertOf('a', { group: 's', severity: 'critical' }),
    alertOf('b', { group: 's', severity: 'critical' }),
    alertOf('c', { group: 's' }),
  ];
  t.same(shape(foldAlerts(alerts, groupOf, null)), ['a+c', 'b']);
});

t.test('while the order is held, no alert is folded that was not folded before', async (t) => {
  const [a, b, c] = [alertOf('a', { group: 's' }), alertOf('b', { group: 's' }), alertOf('c', { group: 's' })];
  const before = foldAlerts([a, b], groupOf, null);
  t.same(shape(foldAlerts([a, b, c], groupOf, before)), ['a+b', 'c'], 'a new one stands alone');
  const seen = { ...a, acknowledged };
  t.same(shape(foldAlerts([seen, b], groupOf, before)), ['a+b'], 'an acknowledged one keeps its place');
  t.same(shape(foldAlerts([b], groupOf, before)), ['b'], 'the rest stays when the first is gone');
  const alone = foldAlerts([a, alertOf('b')], groupOf, null);
  t.same(shape(foldAlerts([a, b], groupOf, alone)), ['a', 'b'], 'an alert that joins a swarm now is not moved');
});

t.test('more than ten new alerts in ten minutes are a flood', async (t) => {
  const ages = (count: number, s: number): Alert[] =>
    Array.from({ length: count }, (_, at) => alertOf(`${at}`, { raised_at: String(s) }));
  t.equal(floodOf(ages(10, 30), Number), 0);
  t.equal(floodOf(ages(11, 600), Number), 11);
  t.equal(floodOf([...ages(10, 30), ...ages(5, 601)], Number), 0);
  t.equal(
    floodOf(ages(20, 30), () => null),
    0,
    'no time is known yet',
  );
});

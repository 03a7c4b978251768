import t from 'tap';
import { markedAlerts } from '../../src/console/state/marked_alerts.ts';
import type { Alert } from '../../src/model/alert.ts';

const alert = (severity: Alert['severity'], state: Alert['state'], id = 'a'): Alert =>
  ({ severity, state, track_ids: [id], acknowledged: state === 'acknowledged' ? { by: 'user:x' } : null }) as Alert;

t.test('a track keeps the mark of its worst alert after the acknowledgement, until the alert is over', async (t) => {
  const of = (...alerts: Alert[]) => markedAlerts(alerts).get('a');
  t.same(of(alert('critical', 'active')), { severity: 'critical', open: 'critical' });
  t.same(of(alert('critical', 'acknowledged')), { severity: 'critical', open: null });
  t.same(of(alert('critical', 'acknowledged'), alert('notice', 'active')), { severity: 'critical', open: 'notice' });
  t.same(of(alert('critical', 'cleared')), undefined);
  t.same(of(alert('critical', 'active', 'b')), undefined);
});

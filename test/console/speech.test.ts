import t from 'tap';
import { SPEECH_EVERY_MS, Speech, SpokenAlerts } from '../../src/console/state/speech.ts';
import type { Alert } from '../../src/model/alert.ts';

const alert = (id: string, severity: Alert['severity'], changes: Partial<Alert> = {}): Alert =>
  ({ id, severity, state: 'active', acknowledged: null, escalated_at: null, ...changes }) as Alert;

t.test('one sentence is said in three seconds, the urgent one first, and the others are counted', async (t) => {
  const speech = new Speech();
  t.equal(speech.next(0), null);
  speech.say('a sensor is silent', 'polite');
  t.same(speech.next(0), { sentence: 'a sensor is silent', urgency: 'polite', more: 0 });
  speech.say('the picture is stale', 'polite');
  speech.say('a drone is inside', 'assertive');
  speech.say('a second drone is inside', 'assertive');
  t.equal(speech.next(SPEECH_EVERY_MS - 1), null, 'not before the last one was read');
  t.same(speech.next(SPEECH_EVERY_MS), { sentence: 'a drone is inside', urgency: 'assertive', more: 2 });
  t.equal(speech.next(9 * SPEECH_EVERY_MS), null, 'what was counted is not said later');
});

t.test('an alert is said once, and again when it became worse', async (t) => {
  const alerts = new SpokenAlerts();
  const drone = alert('a', 'warning');
  t.same(alerts.take([drone, alert('b', 'notice'), alert('c', 'info')]), [drone], 'warnings and critical ones alone');
  t.same(alerts.take([drone]), []);
  const worse = alert('a', 'critical', { escalated_at: '2026-03-04T12:00:00.000Z' });
  t.same(alerts.take([worse]), [worse]);
  const seen = { ...worse, acknowledged: { by: 'anna', at: '2026-03-04T12:00:01.000Z', note: null } } as Alert;
  t.same(alerts.take([seen]), []);
  t.same(alerts.take([{ ...worse, state: 'cleared' }]), [], 'and not after its end');
});

import t from 'tap';
import { DueSounds } from '../../src/console/sound/due.ts';
import type { Alert } from '../../src/model/alert.ts';

const alert = (id: string, severity: Alert['severity'], more: Partial<Alert> = {}): Alert =>
  ({ id, severity, state: 'active', acknowledged: null, escalated_at: null, ...more }) as Alert;

t.test('several new alerts are one sound, that of the worst', async (t) => {
  const due = new DueSounds();
  const alerts = [alert('a', 'notice'), alert('b', 'critical'), alert('c', 'warning')];
  t.equal(due.ofAlerts(alerts, 0), 'critical');
  t.equal(due.ofAlerts(alerts, 1_000), null);
});

t.test(
  'a critical alert sounds again each 8 s, a warning each minute, a notice once, until each is acknowledged',
  async (t) => {
    const times = { critical: [0, 8_000, 16_000], warning: [0, 60_000, 120_000], notice: [0], info: [0] };
    for (const [severity, expected] of Object.entries(times)) {
      const due = new DueSounds();
      const one = alert('a', severity as Alert['severity']);
      const heard: number[] = [];
      for (let nowMs = 0; heard.length < 3 && nowMs <= 120_000; nowMs += 1_000)
        if (due.ofAlerts([one], nowMs) !== null) heard.push(nowMs);
      t.same(heard, expected, severity);
      const seen = { ...one, acknowledged: { at: '', by: 'anna' } } as unknown as Alert;
      t.equal(due.ofAlerts([seen], 1e9), null);
    }
  },
);

t.test('an alert that becomes worse sounds at once, and one that is over does not', async (t) => {
  const due = new DueSounds();
  due.ofAlerts([alert('a', 'notice')], 0);
  t.equal(due.ofAlerts([alert('a', 'warning', { escalated_at: '2026-06-01T10:00:00.000Z' })], 1_000), 'warning');
  t.equal(due.ofAlerts([alert('b', 'critical', { state: 'cleared' })], 1_000), null);
});

t.test('an alert that came in a silence sounds after it, even a notice', async (t) => {
  const due = new DueSounds();
  due.ofAlerts([], 0);
  // Nobody asks while the sound is silenced.
  t.equal(due.ofAlerts([alert('a', 'notice')], 30_000), 'notice');
});

t.test('a lost link sounds when the picture becomes stale, then each minute, and anew after it was back', async (t) => {
  const due = new DueSounds();
  t.notOk(due.ofLink('connecting', 0));
  t.notOk(due.ofLink('up_to_date', 1_000));
  t.ok(due.ofLink('stale', 6_000));
  t.notOk(due.ofLink('no_link', 16_000), 'not again when the state becomes worse');
  t.ok(due.ofLink('no_link', 66_000));
  t.notOk(due.ofLink('up_to_date', 70_000));
  t.ok(due.ofLink('stale', 76_000));
});

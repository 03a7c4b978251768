import t from 'tap';
import { countUnscored, isAboveScore, rankAlerts } from '../../src/console/state/rank.ts';
import type { Alert } from '../../src/model/alert.ts';
import type { Threat } from '../../src/model/threat.ts';
import type { Track } from '../../src/model/track.ts';

const alert = (id: string, more: Partial<Alert> = {}): Alert =>
  ({
    ...{ id, severity: 'critical', state: 'active', acknowledged: null, settled_at: null, track_ids: [id] },
    ...{ raised_at: '2026-01-01T00:00:00Z', ...more },
  }) as Alert;
const states: Record<string, Track['state']> = { a: 'lost', b: 'confirmed', c: 'coasting', w: 'confirmed' };
const trackOf = (id: string) => (states[id] ? ({ id, state: states[id] } as Track) : undefined);
const order = (alerts: Alert[]) => rankAlerts(alerts, trackOf).map(({ id }) => id);

t.test('an alert about a lost track is below its equals, and above what is less severe', async (t) => {
  t.same(order([alert('a'), alert('w', { severity: 'warning' }), alert('c'), alert('b')]), ['b', 'c', 'a', 'w']);
  t.same(order([alert('gone'), alert('b')]), ['b', 'gone'], 'a track that is gone is lost');
  t.same(order([alert('none', { track_ids: [] }), alert('b')]), ['b', 'none'], 'an alert about no track is not lost');
  t.same(order([alert('both', { track_ids: ['a', 'b'] }), alert('c')]), ['both', 'c'], 'one of its tracks is seen');
});

t.test('an own vehicle that must give way comes first in its severity', async (t) => {
  const givesWay = { rule_id: 'crewed_aircraft_near', raised_at: '2026-01-01T00:05:00Z' };
  t.same(order([alert('b'), alert('c', givesWay), alert('w', { severity: 'warning' })]), ['c', 'b', 'w']);
  t.same(order([alert('b'), alert('w', { ...givesWay, severity: 'warning' })]), ['b', 'w']);
});

t.test('tracks with an alert and without a level are counted once', async (t) => {
  const levels: Record<string, Threat['level']> = { a: 'none', b: 'high' };
  const threatOf = (id: string) => (levels[id] ? ({ level: levels[id] } as Threat) : undefined);
  const count = (alerts: Alert[]) => countUnscored(alerts, threatOf);
  t.equal(count([alert('a'), alert('b'), alert('x', { track_ids: ['a', 'c'] })]), 2);
  t.equal(count([alert('a', { severity: 'notice' })]), 0, 'a notice asks for nothing now');
  t.equal(count([alert('a', { state: 'cleared' })]), 0);
  t.equal(count([alert('a', { acknowledged: { by: 'user:x', at: '' } as Alert['acknowledged'] })]), 0);
});

t.test('a level above its score is seen, and none without the thresholds', async (t) => {
  const thresholds = { low: 20, medium: 40, high: 60, critical: 80 };
  t.equal(isAboveScore({ level: 'critical', score: 43 }, thresholds), true);
  t.equal(isAboveScore({ level: 'critical', score: 80 }, thresholds), false);
  t.equal(isAboveScore({ level: 'none', score: 0 }, thresholds), false);
  t.equal(isAboveScore({ level: 'critical', score: 43 }, null), false);
});

import t from 'tap';
import { aboveScore, rankAlerts, threatAbove, unscoredTracks } from '../../src/console/state/rank.ts';
import type { Alert } from '../../src/model/alert.ts';
import type { Threat } from '../../src/model/threat.ts';
import type { Track } from '../../src/model/track.ts';

const alert = (id: string, more: Partial<Alert> = {}): Alert =>
  ({
    ...{ id, severity: 'critical', state: 'active', acknowledged: null, settled_at: null, track_ids: [id] },
    ...{ raised_at: '2026-01-01T00:00:00Z', ...more },
  }) as Alert;
const states: Record<string, Track['state']> = { a: 'lost', b: 'confirmed', c: 'coasting', w: 'confirmed' };
const integrity = { verdict: 'unchecked', score: 1, reasons: [] } as Track['integrity'];
const trackOf = (id: string) => (states[id] ? ({ id, state: states[id], integrity } as Track) : undefined);
const order = (alerts: Alert[], threatOf: (id: string) => Threat | undefined = () => undefined) =>
  rankAlerts(alerts, trackOf, threatOf).map(({ id }) => id);
const threat = (id: string, level: Threat['level'], more: Partial<Threat> = {}): Threat =>
  ({ track_id: id, level, score: 50, dismissed: null, ...more }) as Threat;

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
  const alerts = [alert('b', { raised_at: '2026-01-01T00:06:00Z' }), alert('c', givesWay)];
  const inDanger = (id: string) => (id === 'b' ? threat('b', 'critical') : undefined);
  const ids = (isStanding: boolean) => rankAlerts(alerts, trackOf, inDanger, () => isStanding).map(({ id }) => id);
  t.same(ids(false), ['c', 'b']);
  t.same(ids(true), ['b', 'c'], 'but not once it stands');
});

t.test('alerts of one severity are in the order of their threats, and then by age', async (t) => {
  const threats = { b: threat('b', 'high'), c: threat('c', 'critical') };
  const threatOf = (id: string) => threats[id as 'b' | 'c'];
  const later = { raised_at: '2026-01-01T00:05:00Z' };
  t.same(order([alert('b'), alert('c', later)], threatOf), ['c', 'b']);
  t.same(order([alert('b', later), alert('swarm', { track_ids: ['b', 'c'] })], threatOf), ['swarm', 'b']);
  t.same(order([alert('b'), alert('c', { severity: 'warning' })], threatOf), ['b', 'c'], 'the severity comes first');
  const dismissed = { by: 'user:anna' } as Threat['dismissed'];
  t.same(
    order([alert('b'), alert('c', later)], (id) => threat(id, id === 'c' ? 'critical' : 'high', { dismissed })),
    ['b', 'c'],
    'a dismissed threat counts for nothing',
  );
});

t.test('an alert names its track where the level of the track is above the severity', async (t) => {
  const of = (severity: Alert['severity'], level: Threat['level']) =>
    threatAbove(alert('b', { severity }), () => threat('b', level))?.level;
  t.equal(of('warning', 'critical'), 'critical');
  t.equal(of('critical', 'critical'), undefined);
  t.equal(of('warning', 'high'), undefined, 'high is what a warning says');
  t.equal(of('notice', 'high'), 'high');
  t.equal(of('info', 'none'), undefined);
});

t.test('tracks with an alert and without a level are named once, those of the worst alert', async (t) => {
  const levels: Record<string, Threat['level']> = { a: 'none', b: 'high' };
  const threatOf = (id: string) => (levels[id] ? ({ level: levels[id] } as Threat) : undefined);
  const named = (alerts: Alert[]) => unscoredTracks(alerts, threatOf, (id) => id !== 'gone');
  const none = { severity: null, ids: [], more: 0 };
  t.same(named([alert('a'), alert('b'), alert('x', { track_ids: ['a', 'c'] }), alert('w', { severity: 'warning' })]), {
    severity: 'critical',
    ids: ['a', 'c'],
    more: 1,
  });
  t.same(named([alert('p'), alert('q'), alert('r'), alert('s'), alert('gone')]), {
    severity: 'critical',
    ids: ['p', 'q', 'r'],
    more: 1,
  });
  t.same(named([alert('a', { severity: 'notice' })]), none, 'a notice asks for nothing now');
  t.same(named([alert('a', { state: 'cleared' })]), none);
  t.same(named([alert('a', { acknowledged: { by: 'user:x', at: '' } as Alert['acknowledged'] })]), none);
});

t.test('a level above its score says whether it falls, and nothing without the thresholds', async (t) => {
  const thresholds = { low: 20, medium: 40, high: 60, critical: 80, hysteresis: 5 };
  t.equal(aboveScore({ level: 'critical', score: 43 }, thresholds), 'falls');
  t.equal(aboveScore({ level: 'critical', score: 75 }, thresholds), 'stays');
  t.equal(aboveScore({ level: 'critical', score: 80 }, thresholds), null);
  t.equal(aboveScore({ level: 'none', score: 0 }, thresholds), null);
  t.equal(aboveScore({ level: 'critical', score: 43 }, null), null);
});

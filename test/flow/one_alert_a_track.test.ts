import t, { type Test } from 'tap';
import type { Alert } from '../../src/model/alert.ts';
import type { LogEvent } from '../../src/model/event.ts';
import type { Zone } from '../../src/model/zone.ts';
import { takeTime } from '../support/basics/patience.ts';
import { placeAt } from '../support/basics/place.ts';
import { alertsPublished, inShort, must, nextAlert } from '../support/daemon/alerts.ts';
import { type Daemon, startDaemon } from '../support/daemon/daemon.ts';
import { trackOf } from '../support/daemon/watch.ts';
import { StreamClient } from '../support/http/stream_client.ts';
import { Drones, hovering, straight } from '../support/sky/drones.ts';

takeTime(t, 300);
const site = { lat: 47.1987, lon: 8.7302 };
const serial = (n: number): string => `1581F5FKD2294D0000${String(n).padStart(2, '0')}`;
const hms = /\d\d:\d\d:\d\d/;

async function begin(t: Test): Promise<{ daemon: Daemon; stream: StreamClient; drones: Drones }> {
  const daemon = await startDaemon(t);
  await must(daemon, '/api/sensors', { name: 'mast', modality: 'remote_id' });
  return { daemon, stream: await StreamClient.open(t, daemon), drones: new Drones(t, daemon) };
}

const zoneAt = (daemon: Daemon, more: object = {}): Promise<Zone> =>
  must<Zone>(daemon, '/api/zones', {
    name: 'works',
    kind: 'protected',
    geometry: { type: 'Point', coordinates: [site.lon, site.lat], radius_m: 150 },
    alarm: { on: ['approach', 'enter', 'dwell'], eta_s: 30, dwell_s: 3 },
    ...more,
  });

const cleared = (id: string) => (alert: Alert) => alert.id === id && alert.state === 'cleared';

t.test('one flight into one zone is one alert with its steps, acknowledged by its track without a body', async (t) => {
  const { daemon, stream, drones } = await begin(t);
  const zone = await zoneAt(daemon);
  drones.fly(serial(1), straight(placeAt(site, 270, 400), 90, 18));
  const { id } = await trackOf(daemon, serial(1));
  const entered = await nextAlert(stream, ({ steps }) => steps.some(({ rule_id }) => rule_id === 'zone_dwell'), 40_000);
  t.same(
    entered.steps.map(({ rule_id, zone_id }) => [rule_id, zone_id]),
    ['zone_approach', 'zone_entry', 'zone_dwell'].map((rule) => [rule, zone.id]),
    JSON.stringify(entered.steps),
  );
  t.equal(alertsPublished(stream, 'alert').length, 1, inShort(alertsPublished(stream, 'alert')).join('\n'));
  const severities = entered.steps.map(({ severity }) => severity);
  const rises = severities.filter((severity, i) => i === 0 || severity !== severities[i - 1]);
  t.equal(alertsPublished(stream, 'live_alert').length, rises.length, `it sounds where it gets worse: ${severities}`);
  const { status, body } = await daemon.request(`/api/tracks/${id}/acknowledge`, {
    method: 'POST',
    headers: { 'x-operator': 'Anna Berg' },
  });
  t.match({ status, body }, { status: 200, body: { data: [{ id: entered.id, acknowledged: { note: null } }] } });
  const again = await daemon.request(`/api/tracks/${id}/acknowledge`, { method: 'POST' });
  t.match(again, { status: 200, body: { data: [] } });
  const nobody = await daemon.request('/api/tracks/5e0f6a52-0d3c-4a11-9c55-0000000000a7/acknowledge', {
    method: 'POST',
  });
  t.equal(nobody.status, 404);
  const over = await nextAlert(stream, cleared(entered.id), 40_000);
  t.match(over, { cleared_reason: 'left', count: 1, track_ids: [id] });
  t.equal(alertsPublished(stream, 'alert').length, 1);
});

t.test('two that fly for themselves are an alert each', async (t) => {
  const { daemon, stream, drones } = await begin(t);
  await zoneAt(daemon);
  drones.fly(serial(1), hovering(placeAt(site, 0, 40))).fly(serial(2), hovering(placeAt(site, 180, 100)));
  await nextAlert(stream, () => alertsPublished(stream, 'alert').length === 2, 20_000).catch(() => null);
  const raised = alertsPublished(stream, 'alert');
  t.same(
    raised.map(({ subject, count }) => [subject.type, count]),
    [
      ['track', 1],
      ['track', 1],
    ],
    inShort(raised).join('\n'),
  );
});

t.test('a lost track was there and has a last time; its end has the one reason that was true', async (t) => {
  const { daemon, stream, drones } = await begin(t);
  const before = await daemon.get<{ tracking: object }>('/api/decision-config');
  const life = { ...before.tracking, coast_s: 2, lost_s: 4, close_s: 20 };
  await must(daemon, '/api/decision-config', { ...before, tracking: life }, 'PUT');
  await zoneAt(daemon, { alarm: { on: ['enter'] } });
  drones.fly(serial(1), hovering(site));
  const raised = await nextAlert(stream, ({ rule_id }) => rule_id === 'zone_entry');
  t.match(raised.text, / is in works /);
  drones.ground(serial(1));
  const lost = await nextAlert(stream, ({ id, text }) => id === raised.id && / was in works /.test(text), 60_000);
  t.match(lost.text, /was in works \(protected\), last seen \d\d:\d\d:\d\d UTC\./);
  t.notMatch(lost.text, / is in /);
  const seen = await daemon.get<{ last_seen_at: string }>(`/api/tracks/${raised.track_ids[0]}`);
  t.equal(hms.exec(lost.text)?.[0], seen.last_seen_at.slice(11, 19), 'the time of its last observation');
  t.match(await nextAlert(stream, cleared(raised.id), 60_000), { cleared_reason: 'lost', text: / was in works / });
});

t.test('reasons of ends: friend, dismissed, rule changed, zone removed', async (t) => {
  const { daemon, stream, drones } = await begin(t);
  const zone = await zoneAt(daemon, { alarm: { on: ['enter'] } });
  const places = [0, 90, 180].map((azimuth) => placeAt(site, azimuth, 110));
  for (const [n, place] of places.entries()) drones.fly(serial(n), hovering(place));
  const alerts: Alert[] = [];
  for (const n of places.keys()) {
    const { id } = await trackOf(daemon, serial(n), ({ state }) => state === 'confirmed');
    alerts.push(await nextAlert(stream, ({ track_ids }) => track_ids.length === 1 && track_ids[0] === id));
  }
  const [friend, dismissed, rest] = alerts as [Alert, Alert, Alert];
  await must(daemon, '/api/assignments/confirm', { serial: serial(0), affiliation: 'friend', reason: 'ours' });
  t.match(await nextAlert(stream, cleared(friend.id)), { cleared_reason: 'friend' });
  await must(daemon, `/api/threats/${dismissed.track_ids[0]}/dismiss`, { reason: 'the roofer' });
  t.match(await nextAlert(stream, cleared(dismissed.id)), { cleared_reason: 'dismissed' });
  await daemon.request(`/api/zones/${zone.id}`, { method: 'DELETE' });
  t.match(await nextAlert(stream, cleared(rest.id)), { cleared_reason: 'zone_removed' });
  const rows = await daemon.get<LogEvent[]>('/api/events?kind=alert.cleared');
  for (const { text } of rows) {
    t.notMatch(text, /, or /, 'no guesses');
    t.notMatch(text, /[a-z]_[a-z]+ over|^[0-9a-f-]{36}/, 'no id of a rule');
  }
});

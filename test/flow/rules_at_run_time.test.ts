import t, { type Test } from 'tap';
import type { Alert } from '../../src/model/alert.ts';
import type { Doctrine } from '../../src/model/doctrine.ts';
import type { LogEvent } from '../../src/model/event.ts';
import type { Rule } from '../../src/model/rule.ts';
import type { RuleDryRun } from '../../src/model/rule_dry_run.ts';
import type { Threat } from '../../src/model/threat.ts';
import type { Zone } from '../../src/model/zone.ts';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { placeAt } from '../support/basics/place.ts';
import { alertsPublished, inShort, must, nextAlert } from '../support/daemon/alerts.ts';
import { type Daemon, startDaemon, until } from '../support/daemon/daemon.ts';
import { fieldBox } from '../support/daemon/field_box.ts';
import { nodeWith } from '../support/daemon/program.ts';
import { trackOf } from '../support/daemon/watch.ts';
import { StreamClient } from '../support/http/stream_client.ts';
import { Drones, hovering, straight } from '../support/sky/drones.ts';

onlyInFull(t);
takeTime(t, 150);
const site = { lat: 47.1987, lon: 8.7302 };
const serial = '1581F5FKD2294F000001';
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const worksAt = (daemon: Daemon): Promise<Zone> =>
  must<Zone>(daemon, '/api/zones', {
    name: 'works',
    kind: 'protected',
    geometry: { type: 'Point', coordinates: [site.lon, site.lat], radius_m: 300 },
  });

async function begin(t: Test): Promise<{ daemon: Daemon; stream: StreamClient; drones: Drones }> {
  const daemon = await startDaemon(t);
  await must(daemon, '/api/sensors', { name: 'mast', modality: 'remote_id' });
  return { daemon, stream: await StreamClient.open(t, daemon), drones: new Drones(t, daemon) };
}

const levelOf = async (daemon: Daemon, trackId: string): Promise<Threat> =>
  daemon.get<Threat>(`/api/threats/${trackId}`);

t.test(
  'a rule of an owner raises a level, is counted, found again in what was recorded, and ends when turned off',
  async (t) => {
    const { daemon, stream, drones } = await begin(t);
    const since = new Date(Date.now() - 1_000).toISOString();
    drones.fly(serial, straight(placeAt(site, 270, 400), 90, 20));
    const { id } = await trackOf(daemon, serial, ({ state }) => state === 'confirmed');
    const before = await until(() => levelOf(daemon, id).catch(() => null), 'it is listed');
    t.equal(before.level, 'none');
    const rule = await must<Rule>(daemon, '/api/rules', {
      name: 'fast about the works',
      when: {
        all: [
          { field: 'track.speed_mps', op: 'gt', value: 15 },
          { field: 'track.affiliation', op: 'eq', value: 'unknown' },
          { field: 'track.position', op: 'within_m', value: { ...site, m: 2_000 } },
        ],
      },
      for_s: 1,
      // biome-ignore lint/suspicious/noThenProperty: the interface calls it so, and a list is no function
      then: [{ do: 'alert' }, { do: 'log' }, { do: 'raise_level', level: 'high' }],
      severity: 'critical',
      message: '{track.label} flies at {track.speed_mps} m/s.',
    });
    const alert = await nextAlert(stream, ({ rule_id }) => rule_id === rule.id);
    t.match(alert, { severity: 'critical', track_ids: [id], text: /^T-0001 flies at (19|20|21)(\.\d)? m\/s\.$/ });
    const { data } = await stream.next(
      ({ event, data: { body } }) => event === 'threat_update' && body.track_id === id && body.level === 'high',
      2_000,
    );
    t.ok((data.body as Threat).score < 20, 'its score is what it is');
    const counted = await until(async () => {
      const { counts } = await daemon.get<Rule>(`/api/rules/${rule.id}`);
      return counts.fired === 1 ? counts : null;
    }, 'it is counted');
    t.ok(Date.now() - Date.parse(counted.last_at ?? '') < 5_000);

    await must(daemon, `/api/rules/${rule.id}`, { enabled: false });
    const over = await nextAlert(stream, ({ id: of, state }) => of === alert.id && state === 'cleared');
    t.equal(over.count, 1);
    await until(async () => (await levelOf(daemon, id)).level === 'none', 'its level is that of its score again');
    drones.ground(serial);
    const span = { since, until: new Date(Date.now() + 1_000).toISOString() };
    const tried = await until(async () => {
      const found = await must<RuleDryRun>(daemon, `/api/rules/${rule.id}/dry-run`, span);
      return found.fired > 0 ? found : null;
    }, 'the same is found in what was recorded');
    t.match(tried, { fired: 1, suppressed: 0, rule_id: rule.id });
    const raised = tried.firings.filter(({ change }) => change === 'raised');
    t.match(raised, [
      { track_ids: [id], severity: 'critical', text: /^T-0001 flies at/, subject: { type: 'track', id } },
    ]);
    t.equal((await daemon.get<Rule>(`/api/rules/${rule.id}`)).counts.fired, 1, 'trying it counts nothing');
    t.equal(alertsPublished(stream, 'alert').length, 1, 'and nobody is told');
  },
);

t.test(
  'built-in rules are counted in the doctrine, are found again, and end what they raised when turned off',
  async (t) => {
    const { daemon, stream, drones } = await begin(t);
    const since = new Date(Date.now() - 1_000).toISOString();
    const zone = await worksAt(daemon);
    drones.fly(serial, hovering(site));
    const alert = await nextAlert(stream, ({ rule_id }) => rule_id === 'zone_entry');
    const [trackId] = alert.track_ids;
    const { firing } = await until(async () => {
      const doctrine = await daemon.get<Doctrine>('/api/doctrine');
      return doctrine.firing.zone_entry?.count === 1 ? doctrine : null;
    }, 'it is counted');
    t.match(firing.zone_entry, { count: 1, last_track_id: trackId });
    const rules = await daemon.get<Rule[]>('/api/rules');
    t.match(rules.find(({ id }) => id === 'zone_entry')?.counts, { fired: 1, suppressed: 0 });
    await wait(3_000);
    const span = { since, until: new Date().toISOString() };
    const tried = await must<RuleDryRun>(daemon, '/api/rules/zone_entry/dry-run', span);
    t.match(tried, {
      fired: 1,
      firings: [{ change: 'raised', track_ids: [trackId], zone_id: zone.id, severity: 'warning' }],
    });
    await must(daemon, '/api/rules/zone_entry', { enabled: false });
    await nextAlert(stream, ({ id, state }) => id === alert.id && state === 'cleared');
    t.equal(alertsPublished(stream, 'alert').length, 1, inShort(alertsPublished(stream, 'alert')).join('\n'));
  },
);

/** The box may have an alert of its own, that its core was restarted. */
const isOfTrack = ({ subject }: Alert): boolean => subject.type === 'track';

/** Alerts of tracks that are published as new, or sound. */
const loud = (stream: StreamClient): string[] => [
  ...inShort(alertsPublished(stream, 'alert').filter(isOfTrack)),
  ...inShort(alertsPublished(stream, 'live_alert').filter(isOfTrack)),
];

async function twoAlerts(daemon: Daemon, stream: StreamClient, drones: Drones) {
  await worksAt(daemon);
  // It would be a step of the same alerts, and hold after they left the zones.
  await must(daemon, '/api/rules/loitering', { enabled: false });
  await must(daemon, '/api/zones', {
    name: 'yard',
    kind: 'alert',
    geometry: { type: 'Point', coordinates: [8.8, 47.3], radius_m: 300 },
  });
  drones.fly(serial, hovering(site)).fly('1581F5FKD2294F000002', hovering({ lat: 47.3, lon: 8.8 }));
  await until(async () => alertsPublished(stream, 'alert').length >= 2, 'both are told');
  const [seen, unseen] = alertsPublished(stream, 'alert');
  await must(daemon, `/api/alerts/${seen?.id}/acknowledge`, { note: 'patrol looks' });
  return { seen: seen?.id ?? '', unseen: unseen?.id ?? '' };
}

async function asBefore(t: Test, daemon: Daemon, { seen, unseen }: { seen: string; unseen: string }): Promise<void> {
  t.match(await daemon.get<Alert>(`/api/alerts/${seen}`), {
    state: 'acknowledged',
    acknowledged: { note: 'patrol looks' },
    cleared_at: null,
  });
  t.match(await daemon.get<Alert>(`/api/alerts/${unseen}`), { state: 'active', acknowledged: null, cleared_at: null });
  t.equal((await daemon.get<Alert[]>('/api/alerts')).filter(isOfTrack).length, 2);
}

t.test('a daemon that is killed tells nothing twice and forgets nothing that was seen', async (t) => {
  const box = fieldBox(t, '');
  const first = await box.spawn();
  await must(first, '/api/sensors', { name: 'mast', modality: 'remote_id' });
  const drones = new Drones(t, first);
  const alerts = await twoAlerts(first, await StreamClient.open(t, first), drones);
  // A track is on the disk within a second; one that is younger comes back as another.
  await wait(2_000);
  await first.end('SIGKILL');
  const again = await box.start();
  const stream = await StreamClient.open(t, again);
  drones.daemon = again;
  await wait(12_000);
  t.same(loud(stream), [], 'what goes on is not raised again');
  await asBefore(t, again, alerts);
  drones.ground(serial);
  drones.fly(serial, straight(site, 0, 25));
  const over = await nextAlert(stream, ({ id, state }) => id === alerts.seen && state === 'cleared', 60_000);
  t.match(over, { acknowledged: { note: 'patrol looks' } });
  t.not(over.settled_at, null, 'it was seen and leaves the picture');
});

t.test('a core that is killed tells nothing twice', async (t) => {
  const killer = new URL('../support/daemon/killable_core.js', import.meta.url).href;
  const box = fieldBox(t, '');
  const daemon = await box.spawn({ command: nodeWith(`--import=${killer}`) });
  await must(daemon, '/api/sensors', { name: 'mast', modality: 'remote_id' });
  const stream = await StreamClient.open(t, daemon);
  const drones = new Drones(t, daemon);
  const alerts = await twoAlerts(daemon, stream, drones);
  const before = loud(stream).length;
  daemon.process.kill('SIGUSR2');
  await until(async () => (await daemon.get<LogEvent[]>('/api/events?kind=core.restarted')).length > 0, 'it is told');
  await wait(10_000);
  t.equal(loud(stream).length, before, loud(stream).join('\n'));
  await asBefore(t, daemon, alerts);
  for (const of of [serial, '1581F5FKD2294F000002']) await trackOf(daemon, of, ({ state }) => state === 'confirmed');
  drones.fly(serial, straight(site, 0, 25));
  await nextAlert(stream, ({ id, state }) => id === alerts.seen && state === 'cleared', 60_000);
});

import t, { type Test } from 'tap';
import { MavlinkEncoder } from '../../src/edge/wire/mavlink/encode.ts';
import { writeGlobalPosition, writeHeartbeat } from '../../src/edge/wire/mavlink/write.ts';
import type { Alert } from '../../src/model/alert.ts';
import type { Asset } from '../../src/model/asset.ts';
import type { Threat } from '../../src/model/threat.ts';
import type { Zone } from '../../src/model/zone.ts';
import { takeTime } from '../support/basics/patience.ts';
import { placeAt } from '../support/basics/place.ts';
import { alertsPublished, inShort, must, nextAlert } from '../support/daemon/alerts.ts';
import { type Daemon, startDaemon, until } from '../support/daemon/daemon.ts';
import { trackOf } from '../support/daemon/watch.ts';
import { StreamClient } from '../support/http/stream_client.ts';
import { paced, type Send, udpSender } from '../support/links/senders.ts';
import { Drones, hovering, straight } from '../support/sky/drones.ts';

takeTime(t, 120);
const site = { lat: 47.1987, lon: 8.7302 };
const serial = (n: number): string => `1581F5FKD2294D0000${String(n).padStart(2, '0')}`;

async function begin(t: Test): Promise<{ daemon: Daemon; stream: StreamClient; drones: Drones }> {
  const daemon = await startDaemon(t);
  await must(daemon, '/api/sensors', { name: 'mast', modality: 'remote_id' });
  return { daemon, stream: await StreamClient.open(t, daemon), drones: new Drones(t, daemon) };
}

const zoneAt = (daemon: Daemon, more: object, place = site): Promise<Zone> =>
  must<Zone>(daemon, '/api/zones', {
    name: 'works',
    kind: 'protected',
    geometry: { type: 'Point', coordinates: [place.lon, place.lat], radius_m: 300 },
    ...more,
  });

const confirmed = (daemon: Daemon, of: string) => trackOf(daemon, of, ({ state }) => state === 'confirmed');

function vehicle(say: Send): (place: { lat: number; lon: number }) => Promise<void> {
  const encoder = new MavlinkEncoder({ sysid: 42, compid: 1 });
  const mode = { type: 2, autopilot: 3, baseMode: 209, customMode: 4, systemStatus: 4, mavlinkVersion: 3 };
  return async ({ lat, lon }) => {
    await say(encoder.encode(writeHeartbeat(mode)));
    const still = { vNorthMps: 0, vEastMps: 0, vDownMps: 0, headingDeg: 0, altMslM: 500, relativeAltM: 60 };
    await say(encoder.encode(writeGlobalPosition({ timeBootMs: 1, latDeg: lat, lonDeg: lon, ...still })));
  };
}

t.test('the serial of ours where ours is not is one alert, and its track is nobody’s', async (t) => {
  const { daemon, stream, drones } = await begin(t);
  await zoneAt(daemon, {});
  const own = await must<Asset>(daemon, '/api/assets', {
    name: 'Heron',
    spec: { remote_id_serial: serial(1), mavlink: { sysid: 42 } },
  });
  const link = { name: 'own', transport: 'udp', address: '127.0.0.1:0', protocol: 'mavlink', issued_for: own.id };
  await must(daemon, '/api/links', { ...link, sources_allow: ['127.0.0.1'] });
  const say = vehicle(udpSender(t, await daemon.port('own')));
  const home = placeAt(site, 40, 100);
  await paced(12, 250, () => say(home));
  await until(async () => (await daemon.get<Asset>(`/api/assets/${own.id}`)).connection === 'online', 'it is heard');
  t.same(inShort(alertsPublished(stream, 'alert')), [], 'a proven friend in a protected zone raises nothing');
  drones.fly(serial(1), hovering(placeAt(site, 90, 4_000)));
  await paced(32, 250, () => say(home));
  const raised = alertsPublished(stream, 'alert');
  t.same(
    raised.map(({ rule_id, severity, count }) => [rule_id, severity, count]),
    [['friend_cloned', 'critical', 1]],
    inShort(raised).join('\n'),
  );
  const clone = await trackOf(daemon, serial(1), ({ flags }) => flags.includes('id_duplicate')).catch(() => null);
  const tracks =
    await daemon.get<{ id: string; affiliation: string; asset_id: string | null; flags: string[] }[]>('/api/tracks');
  const told = tracks.find(({ id }) => id === raised[0]?.track_ids[0]);
  t.match(told, { affiliation: 'unknown', asset_id: null });
  t.ok(told?.flags.includes('id_duplicate'), JSON.stringify(tracks));
  t.match(
    tracks.filter(({ asset_id }) => asset_id === own.id),
    [{ affiliation: 'friend' }],
  );
  t.equal(clone?.id, told?.id);
});

t.test('five that fly together are one group and one alert', async (t) => {
  const { daemon, stream, drones } = await begin(t);
  await zoneAt(daemon, { alarm: { on: [] } });
  const from = placeAt(site, 270, 2_000);
  for (let n = 0; n < 5; n++) drones.fly(serial(n), straight(placeAt(from, n * 72, 60), 90, 15));
  const alert = await nextAlert(stream, ({ rule_id }) => rule_id === 'swarm');
  await new Promise((resolve) => setTimeout(resolve, 8_000));
  const raised = alertsPublished(stream, 'alert');
  t.same(inShort(raised), inShort([raised.find(({ id }) => id === alert.id) as Alert]), 'one alert, of the swarm');
  const threats = await daemon.get<Threat[]>('/api/threats');
  t.equal(threats.length, 5);
  t.equal(new Set(threats.map(({ group_id }) => group_id)).size, 1);
  t.not(threats[0]?.group_id, null);
  t.same(
    [...(await daemon.get<Alert>(`/api/alerts/${alert.id}`)).track_ids].sort(),
    threats.map((of) => of.track_id).sort(),
  );
  t.equal(alertsPublished(stream, 'live_alert').length, 1, 'it sounds once');
});

t.test('a sensor that falls silent is an alert, over when it speaks again', async (t) => {
  const { daemon, stream, drones } = await begin(t);
  const { id } = await must<{ id: string }>(daemon, '/api/sensors', {
    name: 'roof',
    modality: 'remote_id',
    heartbeat_s: 2,
  });
  const roof = new Drones(t, daemon, 'roof').fly(serial(1), hovering(site));
  drones.fly(serial(2), hovering(placeAt(site, 0, 2_000)));
  await confirmed(daemon, serial(1));
  roof.ground(serial(1));
  const silent = await nextAlert(stream, ({ rule_id, state }) => rule_id === 'sensor_silent' && state === 'active');
  t.match(silent, { subject: { type: 'sensor', id, label: 'roof' }, severity: 'warning', zone_id: null });
  roof.fly(serial(1), hovering(site));
  const over = await nextAlert(stream, ({ state }) => state === 'cleared');
  t.equal(over.id, silent.id);
  t.equal(alertsPublished(stream, 'alert').length, 1);
});

t.test('what is not sure to be there, lies in clutter, was dismissed or is ours raises nothing', async (t) => {
  const { daemon, stream, drones } = await begin(t);
  await zoneAt(daemon, { alarm: { on: ['approach', 'enter', 'exit', 'dwell'], dwell_s: 1 } });
  const clutter = placeAt(site, 90, 150);
  await zoneAt(daemon, { name: 'mill', kind: 'ignore', geometry: point(clutter, 60) });
  await must(daemon, '/api/assets', { name: 'Survey', spec: { remote_id_serial: serial(3) } }).then((asset) =>
    must(daemon, '/api/assignments', { asset_id: (asset as Asset).id, affiliation: 'friend', reason: 'flown by us' }),
  );
  const { sensor_id, ...row } = { sensor_id: 'mast', report: 'position', sigma: { h_m: 3 } };
  await must(daemon, '/api/ingest/obs', { obs: [{ sensor_id, ...row, position: { ...site, alt_agl_m: 50 } }] });
  drones.fly(serial(2), hovering(clutter)).fly(serial(3), hovering(placeAt(site, 180, 100)));
  drones.fly(serial(4), hovering(placeAt(site, 0, 2_000)));
  const { id } = await confirmed(daemon, serial(4));
  await until(
    async () => (await daemon.get<Threat[]>('/api/threats')).some(({ track_id }) => track_id === id),
    'listed',
  );
  await must(daemon, `/api/threats/${id}/dismiss`, { reason: 'the roofer' });
  await confirmed(daemon, serial(2));
  await confirmed(daemon, serial(3));
  // A dismissed threat that became a greater one would be none any more: it stays as it is, at a zone that alerts.
  await zoneAt(daemon, { name: 'yard', kind: 'warning', priority: 0, geometry: point(placeAt(site, 0, 2_000), 200) });
  const tentative = (await daemon.get<{ state: string }[]>('/api/tracks')).filter(({ state }) => state === 'tentative');
  t.equal(tentative.length, 1, 'one is tentative');
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  const dismissed = await daemon.get<Threat>(`/api/threats/${id}`);
  t.comment(`dismissed: ${dismissed.level} ${dismissed.score} ${JSON.stringify(dismissed.dismissed)}`);
  t.same(inShort(alertsPublished(stream, 'alert')), dismissed.dismissed ? [] : ['?'], JSON.stringify(dismissed));
});

const point = (place: { lat: number; lon: number }, radius_m: number) => ({
  type: 'Point',
  coordinates: [place.lon, place.lat],
  radius_m,
});

t.test('what was seen and gets worse calls again, and only that', async (t) => {
  const { daemon, stream, drones } = await begin(t);
  const zone = await zoneAt(daemon, { alarm: { on: ['enter'], level: 'warning' } });
  drones.fly(serial(1), hovering(site));
  const first = await nextAlert(stream, ({ rule_id }) => rule_id === 'zone_entry');
  const seen = await must<Alert>(daemon, `/api/alerts/${first.id}/acknowledge`, { note: 'patrol looks' });
  t.match(seen, { state: 'acknowledged', acknowledged: { note: 'patrol looks' } });
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  t.equal(alertsPublished(stream, 'live_alert').length, 1, 'nothing new happened');
  drones.fly(serial(2), hovering(placeAt(site, 30, 120)));
  const more = await nextAlert(stream, ({ id, rule_id }) => id !== first.id && rule_id === 'zone_entry');
  t.match(more, { state: 'active', acknowledged: null, severity: 'warning', count: 1 });
  t.equal(alertsPublished(stream, 'live_alert').length, 2, 'another aircraft is another alert');
  t.match(await daemon.get<Alert>(`/api/alerts/${first.id}`), { state: 'acknowledged' });
  await must(daemon, `/api/alerts/${more.id}/acknowledge`, {});
  await must(daemon, `/api/zones/${zone.id}`, { alarm: { on: ['enter'], level: 'critical' } });
  const worse = await nextAlert(stream, ({ id, severity }) => id === first.id && severity === 'critical');
  t.match(worse, { state: 'active', acknowledged: null });
  t.not(worse.escalated_at, null);
  t.match(worse.steps, [{ severity: 'warning' }, { severity: 'critical' }]);
  await nextAlert(stream, ({ id, severity }) => id === more.id && severity === 'critical');
  t.equal(alertsPublished(stream, 'live_alert').length, 4, 'both are worse');
  drones.ground(serial(2));
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  t.equal(alertsPublished(stream, 'live_alert').length, 4, 'what is less does not sound');
  t.equal(alertsPublished(stream, 'alert').length, 2, inShort(alertsPublished(stream, 'alert')).join('\n'));
});

import t from 'tap';
import type { Alert } from '../../../src/model/alert.ts';
import type { LogEvent } from '../../../src/model/event.ts';
import type { FleetRow } from '../../../src/model/fleet.ts';
import type { Track } from '../../../src/model/track.ts';
import { takeTime } from '../../support/basics/patience.ts';
import { metresBetween } from '../../support/basics/place.ts';
import { must } from '../../support/daemon/alerts.ts';
import { until } from '../../support/daemon/daemon.ts';
import { begun, startFlights } from '../../support/daemon/flights.ts';
import { detectionsOf } from '../../support/daemon/watch.ts';
import { StreamClient } from '../../support/http/stream_client.ts';
import { paced } from '../../support/links/senders.ts';
import { ArduCopter } from '../../support/vehicles/arducopter.ts';
import { moved } from '../../support/vehicles/flight.ts';
import { Forger } from '../../support/vehicles/forger.ts';

takeTime(t, 90);

t.test('telemetry forged from another allowed address moves, flaps, alarms and proposes nothing', async (t) => {
  const rig = await startFlights(t, { link: 'command=allow,sources_allow=127.0.0.1,sources_allow=127.0.0.2' });
  const copter = await begun(t, new ArduCopter({ groundStation: rig.groundStation, ready: true }));
  const { lat, lon } = copter.body;
  const id = await rig.adopt(copter, 'Heron');
  await rig.takeoff(id, 20);
  const friend = async (): Promise<Track | undefined> =>
    (await rig.daemon.get<Track[]>('/api/tracks')).find(({ asset_id }) => asset_id === id);
  const track = await until(async () => {
    const found = await friend();
    return found?.affiliation_basis === 'telemetry' && found.state === 'confirmed' ? found : null;
  }, 'its track is a friend');
  // Before it is a friend, its own entry into the zone would be an alert.
  await must(rig.daemon, '/api/zones', {
    ...{ name: 'works', kind: 'protected' },
    geometry: { type: 'Point', coordinates: [lon, lat], radius_m: 400 },
  });
  const alerts = async (): Promise<Alert[]> => rig.daemon.get<Alert[]>('/api/alerts');
  t.strictSame(await alerts(), []);

  const stream = await StreamClient.open(t, rig.daemon);
  const forger = await Forger.open(t, rig.groundStation);
  await paced(25, 200, async (turn) => {
    if (turn % 5 === 0) await forger.beat();
    await forger.position(moved(copter.body, 0, turn % 2 === 0 ? 157 : -157), 600_000 + turn * 200);
  });

  const contested = await until(async () => (await alerts()).find((alert) => alert.rule_id === 'id_conflict'), 'alert');
  t.match(contested, {
    ...{ severity: 'warning', state: 'active', subject: { type: 'asset', id, label: 'Heron' } },
    text: new RegExp(`Heron.*127\\.0\\.0\\.2:${forger.port}`),
  });
  const rows = await rig.daemon.get<LogEvent[]>('/api/events?kind=fleet.id_conflict');
  t.match(rows, [{ severity: 'warning', subject: { type: 'asset', id, label: 'Heron' } }]);
  t.equal(rows.length, 1);
  const isConflict = (row: FleetRow): boolean =>
    row.asset_id === id && row.verbs.some(({ verb, reason }) => verb === 'goto' && reason === 'id_conflict');
  const row = await rig.row(isConflict, 'the conflict is in its row');
  t.match(row.health[0], { severity: 'critical', text: /127\.0\.0\.2/ });
  t.ok(row.position && metresBetween(row.position, copter.body) < 5);

  const told = stream.events.filter(({ event, data }) => event.startsWith('track_') && data.body.id === track.id);
  t.ok(told.length > 5, `${told.length} updates of its track`);
  const offM = told.map(({ data }) => metresBetween((data.body as Track).position ?? { lat: 0, lon: 0 }, copter.body));
  t.ok(Math.max(...offM) < 15, `its track is up to ${Math.max(...offM)} m off`);
  // An update carries what changed.
  const held = told.filter(({ data }) => (data.body.affiliation ?? 'friend') !== 'friend');
  t.strictSame(held, [], 'it is a friend throughout');
  t.notOk(stream.events.some(({ event }) => event.startsWith('engagement')));
  t.strictSame(
    (await alerts()).map(({ rule_id }) => rule_id),
    ['id_conflict'],
  );
  t.equal((await rig.daemon.get<Track[]>('/api/tracks')).length, 1, 'and no other track');
  const [refused] = await detectionsOf(rig.daemon, 'since=2020-01-01T00:00:00.000Z', 10).then((all) =>
    all.filter(({ rejected_by }) => rejected_by !== null),
  );
  t.match(refused, { rejected_by: 'id_conflict', track_id: null });
  const ours = copter.recorder.commands().length;
  t.equal((await rig.post(id, 'goto', { kind: 'point', lat, lon, height_takeoff_m: 20 })).status, 409);
  t.equal(copter.recorder.commands().length, ours);
  t.equal((await rig.post(id, 'hold')).status, 200, 'the believed address is told to hold');
  t.ok(copter.recorder.commands().length > ours);

  await until(async () => (await alerts()).every(({ state }) => state === 'cleared'), 'it is over');
  t.ok(copter.armed);
});

import t from 'tap';
import { haeOfMsl } from '../../../src/geo/geoid.ts';
import type { Alert } from '../../../src/model/alert.ts';
import type { Track } from '../../../src/model/track.ts';
import { takeTime } from '../../support/basics/patience.ts';
import { alertsPublished, must } from '../../support/daemon/alerts.ts';
import { until } from '../../support/daemon/daemon.ts';
import { begun, startFlights } from '../../support/daemon/flights.ts';
import { picture } from '../../support/daemon/watch.ts';
import { StreamClient, type StreamEvent } from '../../support/http/stream_client.ts';
import { udpSender } from '../../support/links/senders.ts';
import { Aircraft, MavlinkReceiver } from '../../support/sky/aircraft.ts';
import { ArduCopter } from '../../support/vehicles/arducopter.ts';

takeTime(t, 240);

const LOITER_S = 10;
const rid = 'name=rid,transport=udp,address=127.0.0.1:0,protocol=mavlink';

t.test('a friend whose link is lost loiters from then on, and one that stands on the ground never', async (t) => {
  const rig = await startFlights(t, { args: ['--link', rid] });
  const remoteId = '1581F5FKD2294D000078';
  const { id } = await must<{ id: string }>(rig.daemon, '/api/assets', {
    name: 'Heron',
    spec: { remote_id_serial: remoteId },
  });
  const copter = await begun(t, new ArduCopter({ groundStation: rig.groundStation, ready: true, remoteId }));
  const { lat, lon } = copter.body;
  const rule = { version: 1, parameters: { loiter_s: LOITER_S, distance_m: 3_000 } };
  await must(rig.daemon, '/api/rules/loitering', rule);
  // A zone that is near, and that the vehicle is not in.
  await must(rig.daemon, '/api/zones', {
    ...{ name: 'works', kind: 'protected' },
    geometry: { type: 'Point', coordinates: [lon + 0.02, lat], radius_m: 200 },
  });
  const stream = await StreamClient.open(t, rig.daemon);
  const track = async (): Promise<Track | undefined> =>
    (await picture(rig.daemon)).tracks.find(({ asset_id }) => asset_id === id);
  const held = async (): Promise<string | undefined> => (await track())?.affiliation_basis;
  // Only observations received from now on surely say that the vehicle stands on the ground. An earlier one may still
  // be on its way to the picture.
  await rig.able(id, 'takeoff');
  const ableAt = new Date().toISOString();
  const isKnown = (found: Track | undefined): boolean =>
    found?.state === 'confirmed' && found.affiliation_basis === 'telemetry' && found.last_seen_at > ableAt;
  await until(async () => isKnown(await track()), 'its track is a friend');

  const send = udpSender(t, await rig.daemon.port('rid'));
  const receiver = new MavlinkReceiver();
  const own = new Aircraft({ mac: '60:60:1F:00:07:78', serial: remoteId, from: { lat, lon }, speedMps: 0 });
  const timer = setInterval(() => {
    const heights = { altGeoM: haeOfMsl(copter.groundAmslM + copter.body.altM, lat, lon) };
    void send(receiver.pack(own, own.messages({ ...own.location(0), ...heights })));
  }, 500);
  t.teardown(() => clearInterval(timer));
  const loiters = (): Alert[] => alertsPublished(stream, 'alert', 'loitering');

  copter.link.down = true;
  await until(async () => (await held()) === 'none', 'it is a stranger on the ground', 40_000);
  await new Promise((resolve) => setTimeout(resolve, (LOITER_S + 3) * 1_000));
  t.strictSame(loiters(), [], 'on the ground');

  copter.link.down = false;
  await until(async () => (await held()) === 'telemetry', 'its track is a friend again');
  await rig.takeoff(id, 40);
  await new Promise((resolve) => setTimeout(resolve, (LOITER_S + 2) * 1_000));
  copter.link.down = true;
  const isStranger = ({ event, data: { body } }: StreamEvent): boolean =>
    event === 'track_update' && body.affiliation === 'unknown';
  const before = stream.events.length;
  await until(async () => stream.events.slice(before).some(isStranger), 'it is a stranger in the air', 40_000);
  const lostMs = performance.now();
  await until(async () => loiters().length > 0, 'it loiters');
  const afterS = (performance.now() - lostMs) / 1_000;
  t.ok(afterS > LOITER_S - 1, `${afterS} s after`);
  t.strictSame(
    alertsPublished(stream, 'alert').map(({ rule_id }) => rule_id),
    ['loitering'],
  );
});

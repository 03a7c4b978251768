import t from 'tap';
import { metresBetween, placeAt } from '../support/basics/place.ts';
import { startDaemon } from '../support/daemon/daemon.ts';
import { detectionsOf, linkOf, picture, pilotOf, pointsOf, sensorOf, trackOf } from '../support/daemon/watch.ts';
import { StreamClient } from '../support/http/stream_client.ts';
import { paced, udpSender } from '../support/links/senders.ts';
import { Aircraft, MavlinkReceiver } from '../support/sky/aircraft.ts';

const link = 'name=rid,transport=udp,address=127.0.0.1:0,protocol=mavlink';
const daemon = await startDaemon(t, { args: ['--link', link] });
const send = udpSender(t, await daemon.port('rid'));
const site = { lat: 47.05, lon: 8.3 };

t.test('ten packs a second are one track that is told once a second', async (t) => {
  const aircraft = new Aircraft({ mac: '60:60:1F:00:00:01', serial: '1581F5FKD2294A000001', from: site });
  const { flight } = aircraft;
  const receiver = new MavlinkReceiver();
  const stream = await StreamClient.open(t, daemon);
  // As aircraft do, it says each location about ten times before the next.
  let location = aircraft.location(0);
  await paced(41, 100, (turn) => {
    if (turn % 10 === 0) location = aircraft.location(turn / 10);
    return send(receiver.pack(aircraft, aircraft.messages(location)));
  });

  const near = (place: { lat: number; lon: number }) => metresBetween(place, aircraft.placeAt(4)) < 15;
  const track = await trackOf(daemon, flight.serial, ({ position }) => position !== null && near(position));
  const { tracks } = await picture(daemon);
  t.equal(tracks.length, 1, 'exactly one');
  t.equal(track.state, 'confirmed');
  t.match(track.number, /^T-\d{4}$/);
  const names = track.identities.map(({ type, value, transport }) => ({ type, value, transport }));
  t.same(names, [
    { type: 'mac', value: flight.mac, transport: 'mavlink' },
    { type: 'serial', value: flight.serial, transport: 'mavlink' },
  ]);

  const { position, operator, takeoff } = track;
  t.same(
    { ...position, lat: 0, lon: 0 },
    { lat: 0, lon: 0, alt_hae_m: null, alt_msl_m: null, alt_agl_m: null, height_takeoff_m: 40 },
    'its height above take-off, and no altitude that nobody told',
  );
  t.ok(metresBetween(pilotOf(track), flight.pilot) < 0.1);
  t.match(operator, { type: 'takeoff', operator_id: 'CHE-op-4711', alt_hae_m: null });
  t.ok(takeoff && metresBetween(takeoff, flight.pilot) < 0.1, 'a pilot at take-off says where it took off');
  t.match(track, { status: 'airborne', affiliation: 'unknown', cooperative: 'coop_only', provenance: 'live' });
  t.match(track.classification, [{ type: 'multirotor' }]);
  t.ok(Math.abs((track.velocity?.speed_mps ?? 0) - flight.speedMps) < 2, 'its speed');
  t.ok(Math.abs((track.velocity?.course_deg ?? 0) - flight.courseDeg) < 5, 'its course');

  const told = stream.events.filter(({ event, data }) => event === 'track_update' && data.body.id === track.id);
  const moved = told.filter(({ data }) => data.body.position !== undefined);
  t.ok(moved.length >= 3 && moved.length <= 6, `41 packs in 4 s, told ${moved.length} times after the first`);

  const heard = await detectionsOf(daemon, `track_id=${track.id}`, 5);
  t.equal(heard.length, 5, 'a detection for each location, none for what was said again');
  const { id: linkId, rx_msgs } = await linkOf(daemon, 'rid');
  t.equal(rx_msgs, 41);
  const sensor = await sensorOf(daemon, 'rid 3/236', ({ state }) => state === 'operational');
  t.match(sensor, { modality: 'remote_id', link_id: linkId, declared_by: 'link', placement: null });
  t.ok(heard.every((row) => row.sensor_id === sensor.id && row.link_id === linkId && row.rejected_by === null));
  t.equal(track.contributors.length, 1);
  t.equal(track.contributors[0]?.sensor_id, sensor.id);

  const points = await pointsOf(daemon, track.id, 5);
  const last = points.at(-1);
  t.ok(last && near({ lat: last.lat ?? 0, lon: last.lon ?? 0 }), 'the history ends where the picture does');
  t.equal(last?.height_takeoff_m, 40);
});

t.test('single messages make the same picture as packs', async (t) => {
  const from = placeAt(site, 180, 3_000);
  const pilot = {
    ...placeAt(from, 10, 50),
    kind: 'live_gnss',
    altGeoM: 470.5,
    operatorId: 'FIN87astrdge12k8',
  } as const;
  const heights = { altBaroM: 480, altGeoM: 512.5, heightM: 35, heightRef: 1 };
  const singly = new Aircraft({ mac: '60:60:1F:00:00:02', serial: '1581F5FKD2294A000002', from, pilot, heights });
  const packed = new Aircraft({
    ...singly.flight,
    mac: '60:60:1F:00:00:03',
    serial: '1581F5FKD2294A000003',
    from: placeAt(from, 90, 2_000),
  });
  const receiver = new MavlinkReceiver();
  await paced(8, 110, async (turn) => {
    const second = turn * 0.11;
    for (const frame of receiver.singles(singly, singly.messages(singly.location(second)))) await send(frame);
    await send(receiver.pack(packed, packed.messages(packed.location(second))));
  });
  for (const { flight } of [singly, packed]) {
    const track = await trackOf(daemon, flight.serial, (found) => found.operator?.operator_id != null);
    t.equal(track.identities.length, 2, 'address and serial on one track');
    t.match(track.operator, { type: 'live_gnss', alt_hae_m: 470.5, operator_id: 'FIN87astrdge12k8' });
    t.equal(track.takeoff, null, 'where a pilot walks is not where it took off');
    const { alt_hae_m: hae, alt_msl_m: msl, alt_agl_m: agl, height_takeoff_m: height } = track.position ?? {};
    t.ok(Math.abs((hae ?? 0) - 512.5) < 1, 'above the ellipsoid, as sent');
    t.ok(Math.abs((hae ?? 0) - (msl ?? 0) - 48.5) < 1.5, 'the geoid is 48 to 49 m above the ellipsoid there');
    t.equal(agl, 35, 'a height above ground');
    t.equal(height, null, 'which is none above take-off');
  }
});

t.test('a location alone goes to the aircraft of its address', async (t) => {
  const aircraft = new Aircraft({
    mac: '60:60:1F:00:00:04',
    serial: '1581F5FKD2294A000004',
    from: placeAt(site, 0, 3_000),
  });
  const receiver = new MavlinkReceiver();
  await send(receiver.pack(aircraft, aircraft.messages(aircraft.location(0))));
  await paced(6, 110, (turn) => send(receiver.pack(aircraft, [aircraft.location(0.11 * (turn + 1))])));
  const track = await trackOf(daemon, aircraft.flight.mac);
  const heard = await detectionsOf(daemon, `track_id=${track.id}`, 7);
  t.equal(heard.length, 7);
  for (const { identity } of heard) {
    t.same(identity?.map(({ value }) => value).sort(), [aircraft.flight.serial, aircraft.flight.mac].sort());
  }
});

t.test('an address without a name is a track; its serial joins it when it is heard', async (t) => {
  const aircraft = new Aircraft({
    mac: '60:60:1F:00:00:05',
    serial: '1581F5FKD2294A000005',
    from: placeAt(site, 270, 3_000),
  });
  const receiver = new MavlinkReceiver();
  await paced(3, 110, (turn) => send(receiver.pack(aircraft, [aircraft.location(turn * 0.11)])));
  const nameless = await trackOf(daemon, aircraft.flight.mac, ({ state }) => state === 'confirmed');
  t.equal(nameless.identities.length, 1);
  await paced(2, 110, (turn) => send(receiver.pack(aircraft, aircraft.messages(aircraft.location(0.4 + turn * 0.11)))));
  const named = await trackOf(daemon, aircraft.flight.serial);
  t.equal(named.id, nameless.id);
  t.equal(named.number, nameless.number);
});

t.test('two receivers on one link are two sensors and one track', async (t) => {
  const aircraft = new Aircraft({
    mac: '60:60:1F:00:00:06',
    serial: '1581F5FKD2294A000006',
    from: placeAt(site, 90, 3_000),
  });
  const receivers = [new MavlinkReceiver(7, 236), new MavlinkReceiver(8, 237)];
  await paced(6, 110, async (turn) => {
    const messages = aircraft.messages(aircraft.location(turn * 0.11));
    for (const receiver of receivers) await send(receiver.pack(aircraft, messages));
  });
  const track = await trackOf(daemon, aircraft.flight.serial, ({ contributors }) => contributors.length === 2);
  const sensors = await Promise.all(['rid 7/236', 'rid 8/237'].map((name) => sensorOf(daemon, name)));
  t.same(track.contributors.map(({ sensor_id }) => sensor_id).sort(), sensors.map(({ id }) => id).sort());
});

import t from 'tap';
import { MavlinkEncoder } from '../../src/edge/wire/mavlink/encode.ts';
import { writeGlobalPosition, writeHeartbeat } from '../../src/edge/wire/mavlink/write.ts';
import { writeOdid } from '../../src/edge/wire/mavlink/write_odid.ts';
import { onlyInFull } from '../support/basics/patience.ts';
import { metresBetween, placeAt } from '../support/basics/place.ts';
import { startDaemon, until } from '../support/daemon/daemon.ts';
import { detectionsOf, linkOf, picture, sensorOf, trackOf } from '../support/daemon/watch.ts';
import { udpSender } from '../support/links/senders.ts';
import { Aircraft } from '../support/sky/aircraft.ts';

onlyInFull(t);

const link = 'name=vehicles,transport=udp,address=127.0.0.1:0,protocol=mavlink';
const daemon = await startDaemon(t, { args: ['--link', link] });
const send = udpSender(t, await daemon.port('vehicles'));
const site = { lat: 47.4, lon: 8.5 };
let sent = 0;

/** A component of a system, and a way to say something as it. */
function component(sysid: number, compid: number): (payload: Parameters<MavlinkEncoder['encode']>[0]) => Promise<void> {
  const encoder = new MavlinkEncoder({ sysid, compid });
  return (payload) => {
    sent++;
    return send(encoder.encode(payload));
  };
}

const heartbeat = (type: number, autopilot: number) =>
  writeHeartbeat({ type, autopilot, baseMode: 209, customMode: 4, systemStatus: 4, mavlinkVersion: 3 });

/** The place of a vehicle at the `i`-th of its five words a second. */
function positionAt(place: { lat: number | null; lon: number | null }, i: number) {
  const motion = { vNorthMps: 6, vEastMps: 8, vDownMps: -1, headingDeg: 53 };
  const fields = {
    timeBootMs: 1000 + 200 * i,
    latDeg: place.lat,
    lonDeg: place.lon,
    altMslM: 500,
    relativeAltM: 60,
    ...motion,
  };
  return writeGlobalPosition(fields);
}

async function allIn(): Promise<void> {
  await until(async () => (await linkOf(daemon, 'vehicles')).rx_msgs === sent, `all ${sent} frames are in`);
}

t.test('a vehicle that tells its position is a track', async (t) => {
  const say = component(12, 1);
  await say(heartbeat(2, 3));
  for (let i = 0; i < 4; i++) await say(positionAt(placeAt(site, 53.13, 2 * i), i));
  const { id: linkId } = await linkOf(daemon, 'vehicles');
  const track = await trackOf(daemon, `mavlink:${linkId}:12:1`, ({ state }) => state === 'confirmed');
  t.ok(track.position && metresBetween(track.position, site) < 20);
  t.ok(Math.abs((track.position?.alt_msl_m ?? 0) - 500) < 2);
  t.equal(track.position?.height_takeoff_m, 60);
  t.ok(Math.abs((track.velocity?.speed_mps ?? 0) - 10) < 1);
  t.ok(Math.abs((track.velocity?.course_deg ?? 0) - 53.1) < 5);
  t.ok(Math.abs((track.velocity?.climb_mps ?? 0) - 1) < 0.5);
  t.match(await sensorOf(daemon, 'vehicles 12/1'), { modality: 'telemetry', state: 'operational' });
  t.equal(track.affiliation, 'unknown', 'its word alone makes no friend');
});

t.test('a vehicle without a fix is none', async (t) => {
  const before = (await picture(daemon)).tracks.length;
  const say = component(13, 1);
  await say(heartbeat(2, 3));
  for (let i = 0; i < 4; i++) await say(positionAt({ lat: null, lon: null }, i));
  await allIn();
  const sensor = await sensorOf(daemon, 'vehicles 13/1');
  t.equal(sensor.state, 'operational', 'it is heard');
  t.equal(sensor.last_obs_at, null, 'and places nothing');
  t.equal((await picture(daemon)).tracks.length, before);
});

t.test('Remote ID that a vehicle tells of itself is not a contact', async (t) => {
  const before = (await picture(daemon)).tracks.length;
  const own = new Aircraft({ mac: '00:00:00:00:00:00', serial: '1581F5FKD2294D000001', from: site });
  const messages = own.messages(own.location(0));
  const autopilot = component(14, 1);
  await autopilot(heartbeat(2, 3));
  for (let i = 0; i < 3; i++) for (const message of messages) await autopilot(writeOdid(null, message));
  // A transceiver aboard repeats what it sends, without a tag; a ground station tells where it is.
  const aboard = component(14, 236);
  await aboard(heartbeat(34, 8));
  for (let i = 0; i < 3; i++) for (const message of messages) await aboard(writeOdid(null, message));
  const station = component(255, 190);
  await station(heartbeat(6, 8));
  for (let i = 0; i < 3; i++) await station(writeOdid(null, own.system()));
  await allIn();
  t.equal((await picture(daemon)).tracks.length, before);
  const metrics = await (await fetch(`${daemon.url}/metrics`)).text();
  t.match(metrics, /dunlin_link_own_claims_total\{link="vehicles"\} 27\n/, 'counted as what they are');
});

t.test('what a transceiver aboard hears of others is a contact', async (t) => {
  const other = new Aircraft({
    mac: '60:60:1F:00:03:01',
    serial: '1581F5FKD2294D000002',
    from: placeAt(site, 0, 2_000),
  });
  const aboard = component(14, 236);
  for (let i = 0; i < 2; i++) {
    for (const message of other.messages(other.location(i * 0.2)))
      await aboard(writeOdid({ mac: other.flight.mac }, message));
  }
  const track = await trackOf(daemon, other.flight.serial);
  const heard = await detectionsOf(daemon, `track_id=${track.id}`, 1);
  t.equal(heard[0]?.sensor_id, (await sensorOf(daemon, 'vehicles 14/236')).id);
});

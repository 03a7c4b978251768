import t from 'tap';
import { metresBetween, placeAt } from '../support/basics/place.ts';
import { startDaemon, until } from '../support/daemon/daemon.ts';
import { detectionsOf, linkOf, picture, pilotOf, sensorOf, trackOf, tracksOf } from '../support/daemon/watch.ts';
import { paced, tcpSender, udpSender } from '../support/links/senders.ts';
import { Aircraft, bare, esp32Line, MavlinkReceiver } from '../support/sky/aircraft.ts';

const links = [
  'name=esp,transport=tcp_server,address=127.0.0.1:0,protocol=odid_json',
  'name=adsb,transport=tcp_server,address=127.0.0.1:0,protocol=sbs',
  'name=gps,transport=udp,address=127.0.0.1:0,protocol=nmea',
  'name=rows,transport=tcp_server,address=127.0.0.1:0,protocol=obs_json',
  'name=raw,transport=udp,address=127.0.0.1:0,protocol=odid_raw',
  'name=rid,transport=udp,address=127.0.0.1:0,protocol=mavlink',
];
const daemon = await startDaemon(t, { args: links.flatMap((link) => ['--link', link]) });
const site = { lat: 60.2, lon: 24.9 };
const heights = { altBaroM: null, altGeoM: 120, heightM: null, heightRef: 0 };

t.test('lines of an ESP32 receiver: position, height, pilot, signal strength', async (t) => {
  const aircraft = new Aircraft({ mac: '60:60:1F:00:02:01', serial: '1581F5FKD2294C000001', from: site, heights });
  const send = await tcpSender(t, await daemon.port('esp'));
  await send('{"   [+] Device is active and scanning..."}\r\n');
  await paced(6, 100, (turn) => send(esp32Line(aircraft, turn * 0.1, -60 - turn)));
  const track = await trackOf(daemon, aircraft.flight.serial, ({ state }) => state === 'confirmed');
  await until(
    async () => (await linkOf(daemon, 'esp')).rx_msgs === 7 && (await linkOf(daemon, 'esp')).rejects.unknown_type === 0,
    'six lines and the status line are counted',
  );
  t.ok(track.position && metresBetween(track.position, aircraft.placeAt(0.5)) < 15);
  t.ok(Math.abs((track.position?.alt_hae_m ?? 0) - 120) < 2);
  t.same(
    track.identities.map(({ type, value }) => ({ type, value })),
    [
      { type: 'mac', value: aircraft.flight.mac },
      { type: 'serial', value: aircraft.flight.serial },
    ],
    'the address as every receiver writes it',
  );
  t.ok(metresBetween(pilotOf(track), aircraft.flight.pilot) < 0.2);
  const sensor = await sensorOf(daemon, 'esp');
  t.match(sensor, { modality: 'remote_id', state: 'operational' });
  t.match(track.contributors, [{ sensor_id: sensor.id }]);
  const heard = await detectionsOf(daemon, `track_id=${track.id}`, 6);
  t.same(
    heard.map(({ signal }) => signal?.rssi_dbm),
    [-65, -64, -63, -62, -61, -60],
    'each line with its own, the newest first',
  );
});

t.test('an aircraft that an ESP32 and a MAVLink receiver hear is one track', async (t) => {
  const from = placeAt(site, 90, 5_000);
  const aircraft = new Aircraft({ mac: '60:60:1F:00:02:02', serial: '1581F5FKD2294C000002', from, heights });
  const sendLine = await tcpSender(t, await daemon.port('esp'));
  const sendFrame = udpSender(t, await daemon.port('rid'));
  const receiver = new MavlinkReceiver();
  await paced(8, 100, async (turn) => {
    await sendLine(esp32Line(aircraft, turn * 0.1, -71));
    await sendFrame(receiver.pack(aircraft, aircraft.messages(aircraft.location(turn * 0.1))));
  });
  const track = await trackOf(daemon, aircraft.flight.mac, ({ contributors }) => contributors.length === 2);
  t.equal((await tracksOf(daemon, aircraft.flight.serial)).length, 1);
  const named = track.identities.map(({ type, value }) => `${type} ${value}`);
  t.equal(new Set(named).size, 2, 'one address and one serial');
  t.equal(new Set(track.identities.map(({ transport }) => transport)).size, 2, 'each as both receivers took it');
  const sensors = await Promise.all([sensorOf(daemon, 'esp'), sensorOf(daemon, 'rid 3/236')]);
  t.same(track.contributors.map(({ sensor_id }) => sensor_id).sort(), sensors.map(({ id }) => id).sort());
  t.equal(track.flags.length, 0);
});

t.test('BaseStation lines: speed and height join the position of their aircraft', async (t) => {
  const send = await tcpSender(t, await daemon.port('adsb'));
  const at = placeAt(site, 0, 20_000);
  const line = (kind: number, fields: string): string => `MSG,${kind},1,1,4B1805,1,,,,,${fields}\r\n`;
  await send(line(1, 'SWR7X,,,,,,,,,,,'));
  await send(line(4, ',,250,90,,,-640,,,,,0'));
  for (let i = 0; i < 3; i++) {
    const { lat, lon } = placeAt(at, 90, i * 13);
    await send(line(3, `,5000,,,${lat.toFixed(5)},${lon.toFixed(5)},,,0,0,0,0`));
  }
  const track = await trackOf(daemon, '4B1805', ({ state, position }) => state === 'confirmed' && position !== null);
  t.ok(track.position && metresBetween(track.position, at) < 100);
  t.ok(Math.abs((track.position?.alt_msl_m ?? 0) - 1524) < 20, '5000 ft');
  t.ok(Math.abs((track.velocity?.speed_mps ?? 0) - 128.6) < 5, '250 kt');
  t.ok(Math.abs((track.velocity?.course_deg ?? 0) - 90) < 5);
  t.same(track.identities.map(({ value }) => value).sort(), ['4B1805', 'SWR7X']);
  t.match(track.classification, [{ type: 'crewed_aircraft' }]);
  t.match(await sensorOf(daemon, 'adsb'), { modality: 'adsb', state: 'operational' });
});

t.test('the own position moves the sensor and makes no track', async (t) => {
  const before = (await picture(daemon)).tracks.length;
  const send = udpSender(t, await daemon.port('gps'));
  const fix = (minutes: string): string[] => [
    sentence(`GPRMC,120000.00,A,60${minutes},N,02454.00000,E,0.10,0.0,010625,,,A`),
    sentence(`GPGGA,120000.00,60${minutes},N,02454.00000,E,1,08,1.0,30.0,M,17.5,M,,`),
    sentence(`GPRMC,120000.10,A,60${minutes},N,02454.00000,E,0.10,0.0,010625,,,A`),
  ];
  for (const line of fix('12.00000')) await send(line);
  const near = (lat: number) => (sensor: { placement: { lat: number; alt_hae_m?: number | undefined } | null }) =>
    Math.abs((sensor.placement?.lat ?? 0) - lat) < 1e-6 && sensor.placement?.alt_hae_m === 47.5;
  const sensor = await sensorOf(daemon, 'gps own position', near(60.2));
  t.match(sensor, { placement: { lon: 24.9, mount: 'mobile' }, state: 'operational' });
  for (const line of fix('12.60000')) await send(line);
  await sensorOf(daemon, 'gps own position', near(60.21));
  await send(sentence('GPRMC,120002.00,V,,,,,,,010625,,,N'));
  await until(async () => (await linkOf(daemon, 'gps')).rx_msgs === 7, 'the sentence without a fix is in');
  const lost = await sensorOf(daemon, 'gps own position');
  t.equal(lost.placement?.lat, 60.21, 'without a fix it stays where it was');
  t.equal((await picture(daemon)).tracks.length, before);
});

t.test('rows on a link are judged as rows over HTTP are', async (t) => {
  await daemon.post('/api/sensors', { name: 'ridge radar', modality: 'radar', placement: { ...site, alt_hae_m: 50 } });
  const send = await tcpSender(t, await daemon.port('rows'));
  const plot = { sensor_id: 'ridge radar', report: 'range_bearing', range_m: 2_000, azimuth_deg: 45, elevation_deg: 0 };
  await send(`${JSON.stringify(plot)}\n{"sensor_id":"nobody","report":"presence"}\n`);
  const { id } = await sensorOf(daemon, 'ridge radar', ({ last_obs_at }) => last_obs_at !== null);
  const [seen] = await detectionsOf(daemon, `sensor_id=${id}`, 1);
  const link = await until(async () => {
    const row = await linkOf(daemon, 'rows');
    return row.rejects.implausible === 1 ? row : null;
  }, 'the row of an unknown sensor is counted');
  t.equal(seen?.link_id, link.id);
  const track = await daemon.get<{ position: { lat: number; lon: number } }>(`/api/tracks/${seen?.track_id}`);
  t.ok(metresBetween(track.position, placeAt(site, 45, 2_000)) < 5);
});

t.test('bare messages, as bytes and as hex, belong to the receiver that sends them', async (t) => {
  const send = udpSender(t, await daemon.port('raw'));
  const from = placeAt(site, 180, 6_000);
  const aircraft = new Aircraft({ mac: '60:60:1F:00:02:03', serial: '1581F5FKD2294C000003', from });
  await paced(3, 110, (turn) => send(bare.pack(aircraft.messages(aircraft.location(turn * 0.11)))));
  await paced(3, 110, (turn) => send(bare.message(aircraft.location(0.33 + turn * 0.11)).toString('hex')));
  const track = await trackOf(daemon, aircraft.flight.serial);
  const heard = await detectionsOf(daemon, `track_id=${track.id}`, 6);
  t.equal(heard.length, 6, 'a location without a name goes to what the same socket named');
  t.same(
    track.identities.map(({ type }) => type),
    ['serial'],
    'no address was on the wire, none is invented',
  );
  t.match(track.operator, { operator_id: 'CHE-op-4711' });
  t.match(await sensorOf(daemon, 'raw'), { modality: 'remote_id' });
});

function sentence(body: string): string {
  const sum = [...body].reduce((checksum, character) => checksum ^ character.charCodeAt(0), 0);
  return `$${body}*${sum.toString(16).toUpperCase().padStart(2, '0')}\r\n`;
}

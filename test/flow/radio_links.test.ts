import { join } from 'node:path';
import t from 'tap';
import { linkTypes } from '../../src/edge/wire/radio/radio_frames.ts';
import type { Link } from '../../src/model/link.ts';
import type { SimState } from '../../src/model/picture.ts';
import type { Recording } from '../../src/model/recording.ts';
import { folderOf } from '../support/basics/folder.ts';
import { must } from '../support/daemon/alerts.ts';
import { startDaemon, until } from '../support/daemon/daemon.ts';
import { linkOf, picture, trackOf } from '../support/daemon/watch.ts';
import { framesAt } from '../support/links/broadcast_aircraft.ts';
import * as packets from '../support/links/packets.ts';
import { paced } from '../support/links/senders.ts';
import { unixHost } from '../support/links/unix_host.ts';

const aircraft = {
  serial: '1581F5FKD2294RADIO01',
  wifiMac: '60:60:1f:10:01:2d',
  bluetoothMac: '60:60:1f:10:01:2e',
  lat: 47.2,
  lon: 8.73,
};
const WIFI = 0;
const BLUETOOTH = 1;
const section = packets.pcapngFile([linkTypes.radiotap, linkTypes.hci], []);
/** Only the packets of a section: its header and interfaces are sent once. */
function records(interfaceOf: number, ...frames: Buffer[]): Buffer {
  const listed = frames.map((bytes) => ({ atMs: 1_700_000_000_000, bytes, interface: interfaceOf }));
  return packets.pcapngFile([linkTypes.radiotap, linkTypes.hci], listed).subarray(section.length);
}

t.test(
  'an aircraft on all its radios is one track, which names each transport, also after the program died',
  async (t) => {
    const dir = folderOf(t, { data: {} });
    const path = join(dir, 'radio.sock');
    const link = `name=radio,transport=unix,address=${path},protocol=capture`;
    const daemon = await startDaemon(t, { dataDir: `${dir}/data`, args: ['--link', link] });
    const missing = await until(async () => {
      const { state, last_error } = await linkOf(daemon, 'radio');
      return state === 'backoff' ? last_error : null;
    }, 'the link waits for the program');
    t.match(missing, /radio\.sock is not there/);

    const program = await unixHost(t, path, section);
    await program.dialled(1);
    const fly = (s: number): Promise<void> => {
      const { beacon, nan, bt4, bt5 } = framesAt(aircraft, s);
      const order = s % 2 ? [bt5, bt4] : [bt4, bt5];
      return program.send(
        Buffer.concat([
          records(WIFI, beacon, nan),
          records(BLUETOOTH, ...order.flat()),
          packets.statistics({ heard: 40 }, { dropped: s * 2 }),
        ]),
      );
    };
    await fly(0);
    // The header of the capture came before the recording.
    const { id: recordingId } = await must<Recording>(daemon, '/api/recordings', { name: 'radio' });
    await paced(5, 250, (turn) => fly(1 + turn));
    const track = await trackOf(daemon, aircraft.serial, ({ identities }) => identities.length === 8);
    const named = track.identities.map(({ type, value, transport }) => `${type} ${value} ${transport}`).sort();
    const [wifi, bluetooth] = [aircraft.wifiMac.toUpperCase(), aircraft.bluetoothMac.toUpperCase()];
    t.same(
      named,
      [
        ...['wifi_beacon', 'wifi_nan'].flatMap((by) => [`mac ${wifi} ${by}`, `serial ${aircraft.serial} ${by}`]),
        ...['bt4', 'bt5'].flatMap((by) => [`mac ${bluetooth} ${by}`, `serial ${aircraft.serial} ${by}`]),
      ].sort(),
    );
    t.equal((await picture(daemon)).tracks.length, 1, 'one aircraft, one track');
    const shown = await linkOf(daemon, 'radio');
    t.match(shown, { state: 'open', transport: 'unix', protocol: 'capture', baud: null, phy: null, last_error: null });
    t.equal(
      shown.rx_msgs,
      6 * 5,
      'a beacon, a NAN frame, two messages of Bluetooth 4 and a pack of Bluetooth 5 a second',
    );
    t.ok(Object.values(shown.rejects).every((count) => count === 0));
    const metrics = await (await fetch(`${daemon.url}/metrics`)).text();
    t.match(
      metrics,
      /dunlin_link_kernel_drops_total\{[^}]*radio[^}]*\} 10\n/,
      'losses of the radio are those of the link',
    );

    program.breakOff();
    await program.dialled(2);
    await until(async () => (await linkOf(daemon, 'radio')).state === 'open', 'the link is open again');
    await fly(6);
    await until(async () => (await linkOf(daemon, 'radio')).rx_msgs === 7 * 5, 'its frames come again');
    t.equal((await trackOf(daemon, aircraft.serial)).id, track.id, 'the track goes on');

    await must(daemon, `/api/recordings/${recordingId}/stop`, {});
    await must(daemon, '/api/sim/mode', { mode: 'replay', recording_id: recordingId, rate: 20 });
    await until(async () => (await daemon.get<SimState>('/api/sim')).run === 'completed', 'the recording is played');
    const played = await trackOf(daemon, aircraft.serial);
    t.equal(played.identities.length, 8, 'a recording of the link says the same');
  },
);

/** Content of a DJI element (version 2): flags, place, app and home in degrees. */
function djiElement(
  flags: number,
  serial: string,
  places: { lat: number; lon: number; app: number[]; home: number[] },
): Buffer {
  const raw = (degrees: number): number => Math.round((degrees * Math.PI * 1e7) / 180);
  const bytes = Buffer.alloc(87);
  bytes.writeUInt8(2, 0);
  bytes.writeUInt16LE(flags, 3);
  bytes.write(serial, 5, 'latin1');
  const [appLat = 0, appLon = 0] = places.app;
  const [homeLat = 0, homeLon = 0] = places.home;
  const fields: [number, number][] = [
    [21, places.lon],
    [25, places.lat],
    [49, appLat],
    [53, appLon],
    [57, homeLon],
    [61, homeLat],
  ];
  for (const [at, degrees] of fields) bytes.writeInt32LE(raw(degrees), at);
  bytes.writeInt16LE(120, 29);
  return Buffer.concat([Buffer.from('26371258621310', 'hex'), bytes]);
}

/** Content of a French element with its fields of type and value. */
function frenchElement(fields: readonly [number, Buffer][]): Buffer {
  const listed = fields.map(([type, value]) => Buffer.concat([Buffer.from([type, value.length]), value]));
  return Buffer.concat([Buffer.from('6a5c3501', 'hex'), ...listed]);
}

t.test('DJI DroneID and the French beacon are tracks with their pilots, and without what is not agreed', async (t) => {
  const dir = folderOf(t, { data: {} });
  const path = join(dir, 'radio.sock');
  const program = await unixHost(t, path, section);
  const daemon = await startDaemon(t, {
    dataDir: `${dir}/data`,
    args: ['--link', `name=radio,transport=unix,address=${path},protocol=capture`],
  });
  await program.dialled(1);
  const [djiMac, frenchMac] = ['60:60:1f:10:03:01', '60:60:1f:10:03:02'];
  const serial = '163DFA0300123456';
  const french = 'ABCDEF000000000000000000001003';
  const i32 = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32BE(Math.round(value * 1e5));
    return bytes;
  };
  const NO_FIX = 0x0f3f;
  await paced(5, 300, (s) => {
    const place = { lat: 47.38 + s * 3e-5, lon: 8.54, app: [47.381, 8.541], home: [47.379, 8.539] };
    const beacons = [
      packets.vendorBeacon(djiMac, djiElement(NO_FIX, serial, place)),
      packets.vendorBeacon(
        frenchMac,
        frenchElement([
          [11, Buffer.from([0, 90])],
          [1, Buffer.from([1])],
          [2, Buffer.from(french, 'latin1')],
          [4, i32(47.39)],
          [5, i32(8.55 + s * 4e-5)],
          [6, Buffer.from([1, 0x2e])],
          [10, Buffer.from([10])],
          [8, i32(47.391)],
          [9, i32(8.551)],
        ]),
      ),
    ];
    return program.send(records(WIFI, ...beacons.map((frame) => packets.radiotap(frame))));
  });
  const dji = await trackOf(daemon, serial, ({ state }) => state === 'confirmed');
  const near = (a?: { lat: number | null; lon: number | null } | null, lat = 0, lon = 0): boolean =>
    Math.abs((a?.lat ?? 0) - lat) < 1e-5 && Math.abs((a?.lon ?? 0) - lon) < 1e-5;
  t.equal(dji.operator?.type, 'live_gnss');
  t.ok(near(dji.operator, 47.381, 8.541), 'the app is the operator');
  t.ok(near(dji.takeoff, 47.379, 8.539), 'home is the place of take-off');
  t.match(dji.position, { alt_hae_m: null, alt_msl_m: null, height_takeoff_m: null });
  t.match(dji.status, 'airborne');
  t.same(dji.identities.map(({ type }) => type).sort(), ['mac', 'serial']);
  const other = await trackOf(daemon, french, ({ state }) => state === 'confirmed');
  t.match(other, { takeoff: { lat: 47.391, lon: 8.551 }, operator: null, status: null });
  t.ok(other.identities.some(({ type, value }) => type === 'caa' && value === french));
  t.ok(Math.abs((other.position?.alt_msl_m ?? 0) - 302) < 5, 'its altitude is above the sea');
  t.equal((await picture(daemon)).tracks.length, 2);
});

t.test('a protocol of radios is refused on a transport that it does not work over, and names its layer', async (t) => {
  const daemon = await startDaemon(t);
  for (const [protocol, transport, address] of [
    ['capture', 'udp', '127.0.0.1:0'],
    ['capture', 'serial', '/dev/serial/by-id/absent'],
    ['hci_h4', 'tcp_server', '127.0.0.1:0'],
    ['sniffle', 'unix', '/run/absent.sock'],
  ]) {
    const { status, body } = await daemon.post('/api/links', { name: 'wrong', transport, address, protocol });
    t.equal(status, 400);
    t.match(body.error, new RegExp(`'protocol' ${protocol} does not work over ${transport}: use `));
  }
  const relative = { name: 'a', transport: 'unix', address: 'radio.sock', protocol: 'capture' };
  const { body: refused } = await daemon.post('/api/links', relative);
  t.match(refused, { code: 'invalid_input', error: /'address' must be the absolute path of a socket/ });
  const dongle = { name: 'far', transport: 'serial', address: 'usb:10C4:EA60', protocol: 'sniffle', phy: 'both' };
  const link = await must<Link>(daemon, '/api/links', dongle);
  t.match(link, { protocol: 'sniffle', phy: 'both', baud: 115_200 });
  t.match(await must<Link>(daemon, `/api/links/${link.id}`, { phy: '1m', version: 1 }), { phy: '1m' });
});

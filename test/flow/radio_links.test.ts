import { join } from 'node:path';
import t from 'tap';
import { linkTypes } from '../../src/edge/wire/radio/radio_frames.ts';
import { folderOf } from '../support/basics/folder.ts';
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
    await paced(6, 250, fly);
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
  },
);
